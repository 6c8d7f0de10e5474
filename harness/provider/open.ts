import type { Judge } from '../../core/judge.ts';
import { Problem } from '../../core/problem.ts';
import type { WorkspaceConfig } from '../../core/workspace.ts';
import type { Provider } from './provider.ts';

export interface OpenOptions {
  config: Pick<WorkspaceConfig, 'endpoints' | 'base_urls'>;
  env: Readonly<Record<string, string | undefined>>;
  /** Connections kept open: the run's concurrency. */
  connections: number;
  /** Deadline of one call, body included, milliseconds. */
  deadlineMs: number;
}

/**
 * Opens the provider that a judge names; its SDK is loaded here and not before. Null for a baseline.
 * @throws Problem where the key or the endpoint is missing or unusable.
 */
export async function openProvider(
  judge: Pick<Judge, 'provider' | 'endpoint'>,
  _options: OpenOptions,
): Promise<Provider | null> {
  if (judge.provider === 'baseline') return null;
  throw new Problem('provider_unavailable', `provider ${judge.provider} can't be opened yet`, {
    remedy: 'Use a baseline judge.',
  });
}
