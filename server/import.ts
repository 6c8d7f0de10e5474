import { createHash } from 'node:crypto';
import { rubricHash, rubricRef } from '../core/rubric.ts';
import type { ImportRow, ImportShape } from '../harness/formats/in/import-row.ts';
import { toImportRow } from '../harness/formats/in/import-row.ts';
import { type FileFormat, readRecords } from '../harness/formats/in/records.ts';
import type { Store } from './db/store.ts';

export interface ImportOptions extends ImportShape {
  dataset: string;
  format: FileFormat;
  now: string;
  onProgress?: (progress: ImportProgress) => void;
}

export interface ImportProgress {
  rows: number;
  bytes: number;
}

/** A record that was left out, and why. */
export interface RejectedRow {
  line: number;
  reason: string;
}

/** What an import came to; counts are of this file's records. */
export interface ImportReport {
  dataset: string;
  rows: number;
  added: number;
  /** Already there with the same content: nothing changed. */
  known: number;
  /** Contents that stand in the dataset under several ids, and how many samples they make. */
  duplicates: { contents: number; samples: number };
  labels: number;
  verdicts: number;
  unreadable_verdicts: number;
  rejected: number;
  /** The first of the rejected rows. */
  rejections: RejectedRow[];
}

/** Rejections that are told in full. */
const TOLD = 1000;
/** Rows in one transaction. */
const BATCH = 2000;

/**
 * Streams a file into a dataset: good rows go in, bad ones are reported with their line; batches are committed as
 * they come, so that memory stays bounded and an interrupted import goes on when it is run again.
 */
export async function importFile(
  store: Store,
  chunks: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<ImportReport> {
  const pin =
    options.rubric === null ? null : { ref: rubricRef(options.rubric), hash: rubricHash(options.rubric) };
  const dataset = store.write(() =>
    store.samples.ensureDataset(options.dataset, pin?.ref ?? null, options.now),
  );
  const report: ImportReport = {
    dataset: options.dataset,
    rows: 0,
    added: 0,
    known: 0,
    duplicates: { contents: 0, samples: 0 },
    labels: 0,
    verdicts: 0,
    unreadable_verdicts: 0,
    rejected: 0,
    rejections: [],
  };
  const reject = (line: number, reason: string) => {
    report.rejected++;
    if (report.rejections.length < TOLD) report.rejections.push({ line, reason });
  };
  let batch: ImportRow[] = [];
  const flush = () => {
    if (batch.length === 0) return;
    store.write(() => {
      for (const row of batch) insertRow(store, dataset.id, row, pin, options.now, report, reject);
    });
    batch = [];
  };
  for await (const records of readRecords(chunks, options.format)) {
    for (const record of records) {
      report.rows++;
      const row = 'fault' in record ? record : toImportRow(record.value, record.line, options);
      if ('fault' in row) reject(row.line, row.fault);
      else batch.push(row);
      if (batch.length >= BATCH) flush();
    }
    options.onProgress?.({ rows: report.rows, bytes: records.at(-1)?.bytes ?? 0 });
  }
  flush();
  report.duplicates = store.samples.duplicates(dataset.id);
  return report;
}

function insertRow(
  store: Store,
  dataset: number,
  row: ImportRow,
  pin: RubricPin | null,
  now: string,
  report: ImportReport,
  reject: (line: number, reason: string) => void,
): void {
  const inserted = store.samples.insert(dataset, row.sample);
  if (inserted.status === 'conflict') {
    reject(
      row.line,
      `id "${row.sample.origin.external ?? ''}" stands already with other content (${inserted.stands}; this row is ${row.sample.id})`,
    );
    return;
  }
  if (inserted.status === 'new') report.added++;
  else report.known++;
  if (pin === null) return;
  for (const { annotator, criterion, value } of row.labels) {
    const ack = store.labels.append(
      inserted.seq,
      {
        id: importedId([dataset, row.sample.id, pin.ref, criterion, annotator, value]),
        sample: row.sample.id,
        criterion,
        what: { act: 'label', value, unsure: false },
        evidence: [],
        note: '',
        ms: 0,
        base: null,
        at: now,
        order: null,
      },
      { rubric: pin.ref, rubricHash: pin.hash, annotator, saw: 'imported' },
    );
    if (ack.status === 'stored') report.labels++;
  }
  for (const verdict of row.verdicts) {
    const judge = store.verdicts.judge(verdict.judge, 'foreign', false);
    const stored = {
      criterion: verdict.criterion,
      rubric_hash: pin.hash,
      order: verdict.order,
      repeat: 1,
      result: verdict.result,
      served_model: null,
      fingerprint: null,
      at: now,
    };
    if (inserted.status === 'known' && store.verdicts.stands(judge.id, inserted.seq, stored)) continue;
    store.verdicts.append(judge.id, inserted.seq, stored, null);
    report.verdicts++;
    if (verdict.result.outcome !== 'scored') report.unreadable_verdicts++;
  }
}

/** The rubric version that imported labels and verdicts are pinned to. */
interface RubricPin {
  ref: string;
  hash: string;
}

/** The same label of the same file has the same id, so that importing twice stores once. */
function importedId(parts: (string | number)[]): string {
  return `imported:${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)}`;
}
