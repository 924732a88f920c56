// Keeps the focus near when the focused element disappears, in one place for the whole page.

const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';

/** Where a search ends: it does not leave the view for the header. */
const WHOLE = 'main';

interface Place {
  readonly element: Element;
  /** From the parent up, with the number of the element among the focusable ones of each. */
  readonly around: ReadonlyArray<readonly [ancestor: Element, index: number]>;
}

/** Moves a lost focus to the element that took the place of the focused one. */
export function keepFocus(root: Element): void {
  let last: Place | undefined;
  const remember = () => {
    last = document.activeElement !== null && root.contains(document.activeElement) ? placeOf(root) : last;
  };
  root.addEventListener('focusin', remember);
  root.addEventListener('pointerdown', () => (last = undefined), { capture: true }); // a click says where the focus goes
  new MutationObserver(() => {
    if (last === undefined || document.activeElement !== document.body) return;
    if (last.element.isConnected) return;
    const { around } = last;
    last = undefined;
    for (const [ancestor, index] of around) {
      if (!ancestor.isConnected) continue;
      const near = [...ancestor.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(each => each.checkVisibility());
      const next = ancestor.matches(WHOLE) ? ancestor : near[Math.min(index, near.length - 1)];
      if (!(next instanceof HTMLElement)) continue;
      next.focus({ preventScroll: true });
      return;
    }
  }).observe(root, { childList: true, subtree: true });
}

function placeOf(root: Element): Place | undefined {
  const element = document.activeElement;
  if (element === null) return undefined;
  const around: Array<readonly [Element, number]> = [];
  for (let at = element.parentElement; at !== null && at !== root.parentElement; at = at.parentElement)
    around.push([at, [...at.querySelectorAll(FOCUSABLE)].indexOf(element)]);
  return { element, around };
}
