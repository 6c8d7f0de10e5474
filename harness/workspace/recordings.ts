import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../../core/problem.ts';
import { RecordedReply, type Recording, RecordingHeader } from '../../core/recording.ts';
import { Slug } from '../../core/rubric.ts';
import { readJsonLine } from './read-jsonl.ts';
import { writeFileWhole } from './write-file.ts';

const FOLDER = 'recordings';
const REMEDY = 'Put the recorded text back from git, or record the judge again.';

/** Names of the recordings of a workspace. @param root its folder. */
export function listRecordings(root: string): string[] {
  const folder = join(root, FOLDER);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => (name.endsWith('.jsonl') ? [name.slice(0, -'.jsonl'.length)] : []))
    .filter((name) => Slug.safeParse(name).success)
    .sort();
}

/** Reads a recording. @throws Problem `no_recording`, or `bad_recording` with file and line. */
export function loadRecording(root: string, name: string): Recording {
  const file = recordingPath(name);
  const [head = '', ...rest] = readText(root, name).split('\n');
  const replies = rest.flatMap((text, index) =>
    text.trim() === '' ? [] : [readJsonLine(text, RecordedReply, place(file, index + 2))],
  );
  return { header: readJsonLine(head, RecordingHeader, place(file, 1)), replies };
}

/** Reads only whose replies a recording holds. @throws as `loadRecording`. */
export function loadRecordingHeader(root: string, name: string): RecordingHeader {
  const [head = ''] = readText(root, name).split('\n', 1);
  return readJsonLine(head, RecordingHeader, place(recordingPath(name), 1));
}

/** Writes a recording over the one that was there. @returns its path from the workspace's folder. */
export function saveRecording(root: string, { header, replies }: Recording): string {
  const file = recordingPath(header.recording);
  const lines = [header, ...replies].map((line) => JSON.stringify(line));
  writeFileWhole(join(root, file), `${lines.join('\n')}\n`);
  return file;
}

function recordingPath(name: string): string {
  return `${FOLDER}/${name}.jsonl`;
}

function readText(root: string, name: string): string {
  const known = listRecordings(root);
  if (!known.includes(name)) {
    throw new Problem('no_recording', `there is no ${recordingPath(name)}`, {
      remedy: `Write it with touchstone judge record, or name one of: ${known.join(', ') || 'none yet'}.`,
    });
  }
  return readFileSync(join(root, recordingPath(name)), 'utf8');
}

function place(file: string, line: number) {
  return { file, line, code: 'bad_recording', remedy: REMEDY };
}
