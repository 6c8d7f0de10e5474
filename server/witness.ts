import type { AgreementReport } from '../core/agreement.ts';
import { nativeDigest } from '../harness/digest.ts';
import type { Store } from './db/store.ts';
import type { Asker } from './guard.ts';

/**
 * The names under which a look is remembered: the browser's, and the person's where it has one. The browser's own
 * makes a name that is given after the look no way around it.
 */
export function witnesses({ token, session }: Asker): string[] {
  const browser = `browser:${nativeDigest(token).slice(0, 32)}`;
  return session.annotator === null ? [browser] : [browser, session.annotator];
}

/** Remembers that whoever asked was shown what people and a judge said of each disagreeing sample. */
export function witnessReports(
  store: Store,
  asker: Asker,
  reports: readonly AgreementReport[],
  at: string,
): void {
  store.write(() => {
    for (const { dataset, disagreements } of reports) {
      const rows = new Map(
        store.samples.ids(store.samples.dataset(dataset).id).map(({ id, seq }) => [id, seq]),
      );
      for (const { sample } of disagreements) {
        const seq = rows.get(sample);
        if (seq !== undefined) store.labels.reveal(seq, witnesses(asker), at);
      }
    }
  });
}
