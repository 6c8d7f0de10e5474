import type { Judge } from '../../../core/judge.ts';
import { openProvider } from '../../../harness/provider/open.ts';
import type { CompletionRequest, Provider } from '../../../harness/provider/provider.ts';
import type { Simulator } from '../../simulator/simulator.ts';

/** A key that no output may ever show. */
export const CANARY = 'sk-canary-7f3a9b21c4d5e6f708192a3b4c5d6e7f';

export type Hosted = Exclude<Judge['provider'], 'baseline' | 'recorded' | 'panel'>;

/** A model of each provider that takes all parameters. */
export const MODELS: Record<Hosted, string> = {
  openai: 'gpt-4.1-2025-04-14',
  'openai-responses': 'gpt-4.1-2025-04-14',
  anthropic: 'claude-sonnet-4-5-20250929',
  google: 'gemini-2.5-flash-preview-09-2025',
  'openai-compatible': 'local-judge-2026',
};

/** Opens a provider on the simulator, through the SDK and over HTTP. */
export async function openOn(
  simulator: Pick<Simulator, 'origin'>,
  provider: Hosted,
  settings: { deadlineMs?: number; connections?: number; key?: string; simulated?: boolean } = {},
): Promise<Provider> {
  const { origin } = simulator;
  const key = settings.key ?? CANARY;
  const opened = await openProvider(
    { provider, endpoint: provider === 'openai-compatible' ? 'local' : null },
    {
      config: {
        base_urls: {},
        models: [],
        endpoints: {
          local: {
            base_url: `${origin}/v1`,
            api_key_env: 'LOCAL_KEY',
            simulated: settings.simulated ?? false,
          },
        },
      },
      env: {
        OPENAI_API_KEY: key,
        ANTHROPIC_API_KEY: key,
        GEMINI_API_KEY: key,
        LOCAL_KEY: key,
        OPENAI_BASE_URL: `${origin}/v1`,
        ANTHROPIC_BASE_URL: origin,
        GOOGLE_GEMINI_BASE_URL: origin,
        ...(settings.simulated && { TOUCHSTONE_SIMULATED: '1' }),
      },
      root: '/nowhere',
      connections: settings.connections ?? 4,
      deadlineMs: settings.deadlineMs ?? 5000,
      now: Date.now,
    },
  );
  if (opened === null) throw new Error(`${provider} did not open`);
  return opened;
}

const SAMPLE = [
  '[BEGIN OUTPUT 0123456789abcdef]',
  'The refund of 129 dollars was sent to the card on the third of May.',
  '[END OUTPUT 0123456789abcdef]',
  '',
  'accuracy: Is it right? One of: yes, no, cannot_tell.',
].join('\n');

/** A request that the simulator understands. */
export function requestOf(
  provider: Hosted,
  mode: CompletionRequest['output']['mode'] = 'structured',
  more: Partial<CompletionRequest> = {},
): CompletionRequest {
  return {
    model: MODELS[provider],
    system: 'You grade one piece of work by a rubric.',
    messages: [{ role: 'user', text: SAMPLE }],
    repeat: 1,
    params: { temperature: 0, max_output_tokens: 800, reasoning_effort: null, seed: null },
    output: {
      mode,
      name: 'verdict',
      schema: {
        type: 'object',
        properties: { value: { type: 'string', enum: ['yes', 'no', 'cannot_tell'] } },
        required: ['value'],
        additionalProperties: false,
      },
    },
    ...more,
  };
}
