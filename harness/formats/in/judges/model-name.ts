import type { ProviderName } from '../../../../core/judge.ts';
import type { ForeignModel, KeyPath } from '../../foreign-judge.ts';

/** What other tools call the providers that we know. */
const PROVIDERS: Record<string, ProviderName> = {
  openai: 'openai',
  'openai-responses': 'openai-responses',
  anthropic: 'anthropic',
  google: 'google',
  gemini: 'google',
  'google-ai-studio': 'google',
  palm: 'google',
};

/** Words between provider and model that say how it is called, such as `chat` in openai:chat:gpt-4.1. */
const ENDPOINTS: Record<string, ProviderName | null> = {
  chat: null,
  messages: null,
  responses: 'openai-responses',
};

/**
 * Reads a model's name as other tools write it: `openai:gpt-4.1`, `openai:chat:…`, `openai/…`, `openai:/…`, or bare,
 * where the model's own name tells whose it is.
 */
export function foreignModel(text: string, at: KeyPath): ForeignModel {
  const parts = /^([a-z][a-z0-9_-]*)(?::\/|[:/])(.+)$/i.exec(text.trim());
  if (parts === null) return { at, text, provider: ownerOf(text.trim()), model: text.trim() };
  const [, head = '', rest = ''] = parts;
  const named = PROVIDERS[head.toLowerCase()] ?? null;
  const endpoint = /^([a-z]+):(.+)$/.exec(rest);
  const way = endpoint?.[1] ?? '';
  if (endpoint !== null && Object.hasOwn(ENDPOINTS, way))
    return {
      at,
      text,
      provider: named === null ? null : (ENDPOINTS[way] ?? named),
      model: endpoint[2] ?? rest,
    };
  return { at, text, provider: named, model: rest };
}

function ownerOf(model: string): ProviderName | null {
  if (/^(gpt-|o\d|chatgpt-)/.test(model)) return 'openai';
  if (model.startsWith('claude-')) return 'anthropic';
  return model.startsWith('gemini-') ? 'google' : null;
}
