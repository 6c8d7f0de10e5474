import * as zod from 'zod';
import { Problem } from '../../core/problem.ts';
import * as suite from './define-tools.ts';

/**
 * Evaluates a module and everything it imports by path, and gives its default export.
 * @param shown how messages name the file.
 * @throws Problem `bad_module` where it can't be read or evaluated.
 */
export type LoadModule = (path: string, shown: string) => Promise<unknown>;

/**
 * Makes a loader of TypeScript and JavaScript modules. Each load evaluates afresh; only the translation is remembered.
 * `zod` and `touchstone/harness` are this package's own wherever a module stands.
 * @param cache folder that keeps translations from one process to the next, by the hash of the source.
 */
export async function createModuleLoader(cache: string): Promise<LoadModule> {
  const { createJiti } = await import('jiti');
  const translator = createJiti(import.meta.url, { fsCache: false });
  const translated = new Map<string, string>();
  const jiti = createJiti(import.meta.url, {
    fsCache: cache,
    moduleCache: false,
    interopDefault: false,
    virtualModules: { zod, 'touchstone/harness': suite },
    transform(options) {
      const key = JSON.stringify(options);
      const code = translated.get(key) ?? translator.transform(options);
      translated.set(key, code);
      return { code };
    },
  });
  return async (path, shown) => {
    try {
      return await jiti.import(path, { default: true });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Problem('bad_module', `${shown} can't be loaded: ${why}`, {
        remedy: 'Mend the module; docs/suites.md shows its shape.',
        at: [{ file: shown }],
      });
    }
  };
}
