import { router } from 'svelte-spa-router';

/** The value of one name in the address's query; null where it is absent. */
export function queried(name: string): string | null {
  return new URLSearchParams(router.querystring).get(name);
}

/** A page's address with a query; names without a value are left out. */
export function address(path: string, query: Record<string, string | null | undefined>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value == null || value === '' ? [] : [[name, value]],
  );
  const text = new URLSearchParams(given).toString();
  return text === '' ? path : `${path}?${text}`;
}
