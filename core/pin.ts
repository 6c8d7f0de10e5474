/** Names under which hosted providers serve one fixed model. */
interface PinShape {
  providers: readonly string[];
  pattern: RegExp;
}

const OPENAI = ['openai', 'openai-responses'];
const ANTHROPIC = ['anthropic'];
const GOOGLE = ['google'];

/** By the providers' own pages on model names, December 2026. A name that no row knows moves. */
const FIXED: readonly PinShape[] = [
  // A model of one's own is trained once; its name holds the snapshot that it came from.
  { providers: OPENAI, pattern: /^ft:.+:.+:.*:.+$/ },
  { providers: OPENAI, pattern: /-\d{4}-\d{2}-\d{2}$/ },
  { providers: OPENAI, pattern: /-(0[1-9]|1[0-2])[0-3]\d(-preview)?$/ },
  { providers: ANTHROPIC, pattern: /[-@]20\d{6}$/ },
  { providers: ANTHROPIC, pattern: /^claude-(2\.[01]|instant-1\.2)$/ },
  // From Claude 4.6 on an id without a date names one fixed version.
  { providers: ANTHROPIC, pattern: /^claude-[a-z]+-(4-[6-9]|[5-9](-\d{1,2})?)$/ },
  { providers: GOOGLE, pattern: /-\d{3}$/ },
  { providers: GOOGLE, pattern: /-(preview|exp)-(\d{2}-\d{2}|\d{2}-20\d{2}|\d{4})$/ },
  { providers: GOOGLE, pattern: /^gemini-exp-\d{4}$/ },
];

/** Snapshots behind aliases that people name most, to suggest; not what an alias means today. */
const SNAPSHOTS: Readonly<Record<string, string>> = {
  'gpt-4o': 'gpt-4o-2024-11-20',
  'gpt-4o-mini': 'gpt-4o-mini-2024-07-18',
  'chatgpt-4o-latest': 'gpt-4o-2024-11-20',
  'gpt-4-turbo': 'gpt-4-turbo-2024-04-09',
  'gpt-4.1': 'gpt-4.1-2025-04-14',
  'gpt-4.1-mini': 'gpt-4.1-mini-2025-04-14',
  'gpt-4.1-nano': 'gpt-4.1-nano-2025-04-14',
  'gpt-5': 'gpt-5-2025-08-07',
  'gpt-5-mini': 'gpt-5-mini-2025-08-07',
  'gpt-5-nano': 'gpt-5-nano-2025-08-07',
  'gpt-5-chat-latest': 'gpt-5-2025-08-07',
  o1: 'o1-2024-12-17',
  o3: 'o3-2025-04-16',
  'o3-mini': 'o3-mini-2025-01-31',
  'o4-mini': 'o4-mini-2025-04-16',
  'claude-3-5-haiku-latest': 'claude-3-5-haiku-20241022',
  'claude-3-5-sonnet-latest': 'claude-3-5-sonnet-20241022',
  'claude-3-7-sonnet-latest': 'claude-3-7-sonnet-20250219',
  'claude-3-opus-latest': 'claude-3-opus-20240229',
  'claude-sonnet-4-0': 'claude-sonnet-4-20250514',
  'claude-opus-4-0': 'claude-opus-4-20250514',
  'claude-opus-4-1': 'claude-opus-4-1-20250805',
  'claude-sonnet-4-5': 'claude-sonnet-4-5-20250929',
  'claude-haiku-4-5': 'claude-haiku-4-5-20251001',
  'claude-opus-4-5': 'claude-opus-4-5-20251101',
  'gemini-1.5-pro': 'gemini-1.5-pro-002',
  'gemini-1.5-flash': 'gemini-1.5-flash-002',
  'gemini-2.0-flash': 'gemini-2.0-flash-001',
  'gemini-2.0-flash-lite': 'gemini-2.0-flash-lite-001',
};

/** What a fixed name looks like, by provider. */
const SHAPES: Readonly<Record<string, string>> = {
  openai: 'one that ends in a date, such as gpt-4.1-2025-04-14',
  'openai-responses': 'one that ends in a date, such as gpt-4.1-2025-04-14',
  anthropic: 'one that ends in a date, such as claude-sonnet-4-5-20250929',
  google: 'one that ends in a number or a date, such as gemini-2.0-flash-001',
};

/**
 * May another model answer under this name tomorrow?
 * What people run themselves is pinned by its operators, a baseline by its version, and recordings can't change.
 */
export function isFloating(provider: string, model: string): boolean {
  if (!(provider in SHAPES)) return false;
  return !FIXED.some(({ providers, pattern }) => providers.includes(provider) && pattern.test(model));
}

/** What to name in place of a floating alias, in words. */
export function pinInstead(provider: string, model: string): string {
  return SNAPSHOTS[model] ?? SHAPES[provider] ?? 'one fixed version';
}
