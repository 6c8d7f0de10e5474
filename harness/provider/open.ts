import type { Judge, ProviderName } from '../../core/judge.ts';
import { Problem } from '../../core/problem.ts';
import type { WorkspaceConfig } from '../../core/workspace.ts';
import { loadRecording } from '../workspace/recordings.ts';
import { readBaseUrl } from './base-url.ts';
import { modelTable } from './capabilities.ts';
import type { Connection } from './connection.ts';
import { readKey } from './key.ts';
import type { Provider } from './provider.ts';
import { createRedactor } from './redact.ts';
import { createTransport } from './transport.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface OpenOptions {
  config: Pick<WorkspaceConfig, 'endpoints' | 'base_urls' | 'models'>;
  env: Env;
  /** The workspace's folder, where recordings stand. */
  root: string;
  /** Connections kept open: the run's concurrency. */
  connections: number;
  /** Deadline of one call, body included, milliseconds. */
  deadlineMs: number;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * Opens the provider that a judge names; its SDK is loaded here and not before. Null for a baseline
 * and for a panel, which call no model.
 * Keys come from the environment alone, base URLs from the environment or `touchstone.yaml`.
 * @throws Problem where the key, the base URL or the endpoint is missing or unusable.
 */
export async function openProvider(
  judge: Pick<Judge, 'provider' | 'endpoint'>,
  options: OpenOptions,
): Promise<Provider | null> {
  switch (judge.provider) {
    case 'baseline':
    case 'panel':
      return null;
    case 'recorded': {
      const { createRecorded } = await import('./recorded.ts');
      return createRecorded(loadRecording(options.root, judge.endpoint ?? ''));
    }
    case 'openai': {
      const { createOpenAi } = await import('./openai.ts');
      return createOpenAi(connect(hosted('openai', options), options), false);
    }
    case 'openai-responses': {
      const { createOpenAiResponses } = await import('./openai-responses.ts');
      return createOpenAiResponses(connect(hosted('openai-responses', options), options));
    }
    case 'anthropic': {
      const { createAnthropic } = await import('./anthropic.ts');
      return createAnthropic(connect(hosted('anthropic', options), options));
    }
    case 'google': {
      const { createGoogle } = await import('./google.ts');
      return createGoogle(connect(hosted('google', options), options));
    }
    case 'openai-compatible': {
      const { createOpenAi } = await import('./openai.ts');
      return createOpenAi(connect(ownEndpoint(judge.endpoint, options), options), true);
    }
  }
}

/** Where requests go and with which key. */
type Target = Pick<Connection, 'baseUrl' | 'apiKey' | 'simulated'>;

interface Hosted {
  url: string;
  urlVariable: string;
  /** The first that is set counts. */
  keyVariables: readonly [string, ...string[]];
}

const OPENAI: Hosted = {
  url: 'https://api.openai.com/v1',
  urlVariable: 'OPENAI_BASE_URL',
  keyVariables: ['OPENAI_API_KEY'],
};

const HOSTED = {
  openai: OPENAI,
  'openai-responses': OPENAI,
  anthropic: {
    url: 'https://api.anthropic.com',
    urlVariable: 'ANTHROPIC_BASE_URL',
    keyVariables: ['ANTHROPIC_API_KEY'],
  },
  google: {
    url: 'https://generativelanguage.googleapis.com',
    urlVariable: 'GOOGLE_GEMINI_BASE_URL',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  },
} as const satisfies Partial<Record<ProviderName, Hosted>>;

function hosted(provider: keyof typeof HOSTED, { config, env }: OpenOptions): Target {
  const { url, urlVariable, keyVariables }: Hosted = HOSTED[provider];
  const fromEnv = env[urlVariable]?.trim();
  const fromFile = config.base_urls[provider];
  return {
    baseUrl: fromEnv
      ? readBaseUrl(fromEnv, urlVariable)
      : readBaseUrl(fromFile ?? url, `base_urls.${provider} in touchstone.yaml`),
    apiKey: readKey(env, keyVariables.find((name) => env[name]?.trim()) ?? keyVariables[0]),
    simulated: env.TOUCHSTONE_SIMULATED === '1',
  };
}

/** Would a provider that needs no endpoint of the workspace's own be the simulator? */
export function isSimulatedHost(
  { endpoint, provider }: Pick<Judge, 'provider' | 'endpoint'>,
  env: Env,
): boolean {
  return endpoint === null && provider !== 'baseline' && env.TOUCHSTONE_SIMULATED === '1';
}

function ownEndpoint(name: string | null, { config, env }: OpenOptions): Target {
  const endpoint = name === null ? undefined : config.endpoints[name];
  if (endpoint === undefined) {
    throw new Problem('unknown_endpoint', `touchstone.yaml names no endpoint "${name}"`, {
      remedy: 'Add it under endpoints: with a base_url, or name one that stands there.',
    });
  }
  return {
    baseUrl: readBaseUrl(endpoint.base_url, `endpoints.${name}.base_url in touchstone.yaml`),
    apiKey: endpoint.api_key_env === undefined ? null : readKey(env, endpoint.api_key_env),
    simulated: endpoint.simulated,
  };
}

function connect(target: Target, { config, connections, deadlineMs, env, now }: OpenOptions): Connection {
  const transport = createTransport({ baseUrl: target.baseUrl, connections, deadlineMs, env });
  const redact = createRedactor(target.apiKey === null ? [] : [target.apiKey]);
  return { ...target, transport, redact, deadlineMs, now, models: modelTable(config.models) };
}
