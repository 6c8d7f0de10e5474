/** Attached to what scrolls by itself: it has to be reachable by key. */
export function reachable(node: HTMLElement): void {
  node.tabIndex = 0;
}
