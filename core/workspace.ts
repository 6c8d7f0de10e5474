import { z } from 'zod';
import { ProviderName } from './judge.ts';
import { ModelRow } from './model-table.ts';
import { TokenPrice } from './price.ts';
import { Slug, VersionRef } from './rubric.ts';

/** An openai-compatible endpoint; its URL stands here or in the environment, never in a judge file or a request. */
export const Endpoint = z.strictObject({
  base_url: z.url({ protocol: /^https?$/ }),
  /** Name of the environment variable that holds the key; absent = no key is sent. */
  api_key_env: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*$/, 'the NAME of an environment variable, never the key itself')
    .optional(),
  /** Answers under this endpoint come from the provider simulator and are marked so everywhere. */
  simulated: z.boolean().default(false),
});
export type Endpoint = z.infer<typeof Endpoint>;

/** `touchstone.yaml`: data, never code. */
export const WorkspaceConfig = z.strictObject({
  name: z.string().min(1).max(120),
  endpoints: z.record(Slug, Endpoint).default({}),
  /** Base URLs of hosted providers, where they differ from the provider's own. */
  base_urls: z.partialRecord(ProviderName, z.url({ protocol: /^https?$/ })).default({}),
  /** What models take, looked at before our own table: the first row that names a model counts. */
  models: z.array(ModelRow).default([]),
  /** Sample files that are imported when the workspace is opened for the first time. */
  datasets: z
    .record(Slug, z.strictObject({ file: z.string().min(1), rubric: VersionRef.optional() }))
    .default({}),
  defaults: z
    .strictObject({
      dataset: Slug.optional(),
      rubric: z.string().optional(),
      concurrency: z.number().int().min(1).max(512).default(8),
      deadline_seconds: z.number().positive().max(3600).default(120),
    })
    .default({ concurrency: 8, deadline_seconds: 120 }),
  /** What models cost that the built-in table lacks, or cost you otherwise. US dollars for a million tokens. */
  prices: z
    .array(
      TokenPrice.pick({ input: true, output: true }).extend({
        provider: ProviderName,
        model: z.string().min(1).max(200),
        /** Default: what other input costs. */
        cache_read: TokenPrice.shape.cache_read.optional(),
        cache_write: TokenPrice.shape.cache_write.optional(),
        cache_write_hour: TokenPrice.shape.cache_write_hour,
        /** The day that the price was read; `check` says when it is old. */
        as_of: z.iso.date().optional(),
      }),
    )
    .default([]),
  /** US dollars that runs of judges may cost at most. */
  budgets: z
    .strictObject({
      /** Each run, from its first call to its last; `--budget` says otherwise for one. */
      run_usd: z.number().positive().optional(),
      /** All runs of a calendar day (UTC) together. */
      day_usd: z.number().positive().optional(),
    })
    .default({}),
  server: z
    .strictObject({
      port: z.number().int().min(0).max(65_535).default(4646),
      hosts: z.array(z.string()).default([]),
    })
    .default({ port: 4646, hosts: [] }),
});
export type WorkspaceConfig = z.infer<typeof WorkspaceConfig>;
