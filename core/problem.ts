import { z } from 'zod';

/** Where in a file a problem stands; lines and columns from 1, `path` a key path such as `criteria.0.levels`. */
export const Place = z.strictObject({
  file: z.string(),
  line: z.number().int().positive().optional(),
  column: z.number().int().positive().optional(),
  path: z.string().optional(),
});
export type Place = z.infer<typeof Place>;

/** What a front end shows of a Problem. */
export const ProblemReport = z.strictObject({
  code: z.string(),
  message: z.string(),
  remedy: z.string(),
  at: z.array(Place).optional(),
  details: z.array(z.string()).optional(),
});
export type ProblemReport = z.infer<typeof ProblemReport>;

export interface ProblemOptions {
  /** What the person can do next, one sentence. */
  remedy: string;
  at?: Place[];
  details?: string[];
  /** HTTP status where the problem reaches a client; default 422. */
  status?: number;
  /** Process exit code; default 2 (usage or configuration). */
  exitCode?: number;
}

/** Exit code of what can simply be started again later (EX_TEMPFAIL). */
export const TRY_LATER = 75;

/** A broken precondition that a person can mend: shown with its remedy and without a stack. */
export class Problem extends Error {
  readonly code: string;
  readonly remedy: string;
  readonly at: Place[];
  readonly details: string[];
  readonly status: number;
  readonly exitCode: number;

  constructor(code: string, message: string, options: ProblemOptions) {
    super(message);
    this.name = 'Problem';
    this.code = code;
    this.remedy = options.remedy;
    this.at = options.at ?? [];
    this.details = options.details ?? [];
    this.status = options.status ?? 422;
    this.exitCode = options.exitCode ?? 2;
  }

  report(): ProblemReport {
    return {
      code: this.code,
      message: this.message,
      remedy: this.remedy,
      ...(this.at.length > 0 && { at: this.at }),
      ...(this.details.length > 0 && { details: this.details }),
    };
  }
}

/** `file:line:column key.path`, as editors and CI annotations read it. */
export function placeText(place: Place): string {
  const position = place.line === undefined ? '' : `:${place.line}:${place.column ?? 1}`;
  return `${place.file}${position}${place.path ? ` ${place.path}` : ''}`;
}

/** A problem as a person reads it: where, what, the details, the way out. */
export function problemText(report: ProblemReport): string {
  const [place] = report.at ?? [];
  const where =
    place === undefined || report.message.startsWith(placeText(place)) ? '' : `${placeText(place)}: `;
  const lines = [
    `${where}${report.message}`,
    ...(report.details ?? []).map((detail) => `  ${detail}`),
    `  → ${report.remedy}`,
  ];
  return lines.join('\n');
}
