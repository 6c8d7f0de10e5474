import { createRoute, z } from '@hono/zod-openapi';
import { stringify } from 'yaml';
import { AcceptRule, Calibration, CalibrationDraft } from '../../core/calibration.ts';
import { Annotator } from '../../core/label.ts';
import { Problem } from '../../core/problem.ts';
import { VersionRef } from '../../core/rubric.ts';
import { calibrationPath, loadCalibration, loadCalibrations } from '../../harness/workspace/calibrations.ts';
import { accept, draft } from '../calibrating.ts';
import type { Services } from '../services.ts';
import { witnessReports } from '../witness.ts';
import { answers, routes, takes } from './route.ts';

const Wanted = z.strictObject({
  judge: VersionRef,
  label_set: VersionRef,
  by: Annotator,
  reason: z.string().trim().min(3).max(500),
});

/** Calibrations: measure on test (a look), accept, export. */
export function calibrationRoutes(services: Services) {
  const { workspace } = services;
  return routes()
    .openapi(
      createRoute({
        method: 'get',
        path: '/calibrations',
        summary: 'Every accepted calibration',
        responses: answers(
          z.strictObject({
            calibrations: z.array(z.strictObject({ path: z.string(), calibration: Calibration })),
          }),
        ),
      }),
      (c) => {
        const calibrations = loadCalibrations(workspace).map((calibration) => ({
          path: calibrationPath(calibration.calibration),
          calibration,
        }));
        return c.json({ calibrations }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/calibrations/draft',
        summary: 'Measures a judge on the test split: one recorded look',
        request: { body: takes(Wanted) },
        responses: answers(CalibrationDraft),
      }),
      (c) => {
        const { label_set, ...rest } = c.req.valid('json');
        const drafted = draft(services, { ...rest, labelSet: label_set });
        witnessReports(services.store, c.get('asker'), drafted.reports, services.now().toISOString());
        return c.json(drafted, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/calibrations',
        summary: 'Accepts the draft and writes judges/<id>/vN.calibration.yaml',
        request: {
          body: takes(
            Wanted.extend({
              rule: AcceptRule,
              note: z.string().max(4000).default(''),
              expires: z.iso.date(),
            }),
          ),
        },
        responses: answers(z.strictObject({ path: z.string(), calibration: Calibration })),
      }),
      (c) => {
        const { label_set, ...rest } = c.req.valid('json');
        return c.json(accept(services, { ...rest, labelSet: label_set }), 200);
      },
    )
    .get('/calibrations/:ref/file', (c) => {
      const ref = VersionRef.parse(c.req.param('ref'));
      const calibration = loadCalibration(workspace, ref);
      if (calibration === null) {
        throw new Problem('no_calibration', `${ref} has no accepted calibration`, {
          remedy: 'Calibrate it first.',
          status: 404,
        });
      }
      return c.body(stringify(calibration, { lineWidth: 0 }), 200, {
        'Content-Type': 'application/yaml; charset=utf-8',
        'Content-Disposition': `attachment; filename="${ref.replace('@', '.v')}.calibration.yaml"`,
      });
    });
}
