import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { Problem } from '../../core/problem.ts';
import { Rubric, versionRef } from '../../core/rubric.ts';
import { PAIRWISE_LEVELS, type ScaleKind } from '../../core/scale.ts';
import { type LoadedRubric, loadRubric } from './rubrics.ts';
import type { Workspace } from './workspace.ts';
import { writeFileWhole } from './write-file.ts';

export interface DraftOptions {
  id: string;
  /** One criterion id, or several with commas between. */
  criterion: string;
  scale: ScaleKind;
  /** `1..5`, or names with commas between; null = the scale's own. */
  levels: string | null;
}

/**
 * Writes `rubrics/<id>/v1.yaml` with levels and no anchors yet: enough to import foreign labels and measure them, not
 * enough to publish. A rubric that is there already is used as it is.
 */
export function draftRubric(workspace: Workspace, options: DraftOptions): LoadedRubric {
  const { id, scale } = options;
  const path = join(workspace.root, 'rubrics', id, 'v1.yaml');
  if (!existsSync(path)) {
    const levels = levelsOf(scale, options.levels).map((value) => ({
      value: scale === 'ordinal' ? Number(value) : value,
      anchor: '',
    }));
    const draft = {
      rubric: id,
      version: 1,
      title: id,
      task: 'Imported: say here what was asked for.',
      criteria: options.criterion.split(',').map((criterion) => ({
        id: criterion.trim(),
        question: `${criterion.trim()}: say here what is asked of each sample.`,
        scale,
        levels,
        evidence: { required: false },
      })),
    };
    const checked = Rubric.safeParse(draft);
    if (!checked.success) {
      throw new Problem('bad_draft', checked.error.issues[0]?.message ?? 'the draft is not valid', {
        remedy: 'Check --dataset, --criterion, --scale and --levels (such as --scale ordinal --levels 1..5).',
      });
    }
    const head =
      '# yaml-language-server: $schema=../../schemas/rubric.schema.json\n# A draft made by import: write an anchor for each level before people label by it.\n';
    writeFileWhole(path, head + stringify(draft));
  }
  return loadRubric(workspace, versionRef(id, 1));
}

function levelsOf(scale: ScaleKind, spec: string | null): string[] {
  if (scale === 'pairwise') return [...PAIRWISE_LEVELS];
  if (spec === null) {
    if (scale === 'binary') return ['no', 'yes'];
    throw new Problem('no_levels', `a draft with scale ${scale} needs --levels`, {
      remedy: 'Add --levels 1..5, or --levels red,green,blue.',
    });
  }
  const range = /^(-?\d+)\.\.(-?\d+)$/.exec(spec);
  if (range === null) return spec.split(',').map((level) => level.trim());
  const [low, high] = [Number(range[1]), Number(range[2])];
  return Array.from({ length: Math.max(0, high - low + 1) }, (_, index) => String(low + index));
}
