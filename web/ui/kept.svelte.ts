/** A yes or no that this browser remembers. */
export interface KeptSwitch {
  on: boolean;
}

/** @param name of the setting, unique in the workbench. */
export function keptSwitch(name: string, usual: boolean): KeptSwitch {
  const key = `touchstone.${name}`;
  let on = $state((localStorage.getItem(key) ?? String(usual)) === 'true');
  return {
    get on() {
      return on;
    },
    set on(wanted) {
      on = wanted;
      localStorage.setItem(key, String(wanted));
    },
  };
}
