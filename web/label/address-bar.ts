/** Stands in the address for the end of the queue. */
export const END = 'end';

/** The sample that the address names; null where it names none. */
export function sampleInAddress(): string | null {
  return queryOf(location.hash).get('sample');
}

/**
 * Puts a sample into the address as a step of its own, so that the browser's back button leads to it; into the step at
 * hand where that names no sample yet.
 */
export function showInAddress(sample: string | null): void {
  const query = queryOf(location.hash);
  const [before, now] = [query.get('sample'), sample ?? END];
  if (before === now) return;
  query.set('sample', now);
  const [page] = location.hash.split('?');
  if (before === null) history.replaceState(null, '', `${page}?${query}`);
  else history.pushState(null, '', `${page}?${query}`);
}

function queryOf(hash: string): URLSearchParams {
  const at = hash.indexOf('?');
  return new URLSearchParams(at === -1 ? '' : hash.slice(at));
}
