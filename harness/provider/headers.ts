/** Headers as a plain object, with no compression asked for. */
export function plainHeaders(init: RequestInit['headers']): Record<string, string> {
  const headers = Object.fromEntries(new Headers(init));
  return { ...headers, 'accept-encoding': 'identity' };
}

/** Headers as the response gave them. */
export function headersOf(fields: Record<string, string | string[] | undefined>): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
}
