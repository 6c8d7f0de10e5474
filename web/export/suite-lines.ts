import type { Calibration } from '../../core/calibration.ts';

/** The lines of a suite.yaml by which it takes a calibrated judge; simulated answers have to be allowed by name. */
export function suiteLines({ calibration, simulated }: Calibration): string {
  const allowed = simulated ? ', allow_simulated: true' : '';
  return `judges:\n  - {judge: ${calibration}, on: reply, required: true${allowed}}\n`;
}
