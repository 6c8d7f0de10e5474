import type { Component } from 'svelte';
import type { RouteDefinition } from 'svelte-spa-router';
import { wrap } from 'svelte-spa-router/wrap';

export interface Page {
  path: string;
  title: string;
  /** The entry of the navigation that it belongs to, where it has none of its own. */
  under?: string;
  load: () => Promise<{ default: Component }>;
}

/** Every page, in the order of the navigation; each is loaded when it is first opened. */
export const PAGES: readonly Page[] = [
  { path: '/', title: 'Overview', load: () => import('./overview/Overview.svelte') },
  { path: '/label', title: 'Label', load: () => import('./label/Label.svelte') },
  { path: '/samples', title: 'Samples', load: () => import('./samples/Samples.svelte') },
  { path: '/rubrics', title: 'Rubrics', load: () => import('./rubrics/Rubrics.svelte') },
  { path: '/judges', title: 'Judges', load: () => import('./judges/Judges.svelte') },
  { path: '/verdict', title: 'Verdict', under: '/samples', load: () => import('./verdict/Verdict.svelte') },
  { path: '/run', title: 'Run', under: '/judges', load: () => import('./run/Run.svelte') },
  { path: '/agreement', title: 'Agreement', load: () => import('./agreement/Agreement.svelte') },
  { path: '/export', title: 'Export', load: () => import('./export/Export.svelte') },
];

export function routesOf(): RouteDefinition {
  const known = PAGES.map(({ path, load }) => [path, wrap({ asyncComponent: load })] as const);
  return Object.fromEntries([
    ...known,
    ['*', wrap({ asyncComponent: () => import('./ui/NotFound.svelte') })],
  ]);
}
