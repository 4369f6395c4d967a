import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** The findings of axe. For another theme of the same page only colours are checked, because nothing else differs. */
export const axeFindings = async (page: Page, only?: 'colours'): Promise<string[]> => {
  // No page has frames, so axe need not open a page to collect the results of frames.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  if (only) axe.withRules(['color-contrast']);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
};

/** Records errors in the console of a page and failed calls from now on. */
export const watchErrors = (page: Page): readonly string[] => {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(`error: ${message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`console: ${message.text()} ${message.location().url}`);
  });
  page.on('requestfailed', (request) => {
    // When the user leaves a page, its open calls are aborted.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') errors.push(`failed: ${request.url()}`);
  });
  return errors;
};

/**
 * Lists texts and controls that are not completely visible: cut off without a title that contains the whole text, higher than
 * their button, or outside of the window.
 */
export const cutFindings = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    /** What an element inherits from its ancestors for this check. */
    interface Around {
      readonly isSeen: boolean;
      readonly isTitled: boolean;
      readonly scrolls: boolean;
      /** The right edge at which the element is cut off; infinity if no ancestor cuts it. */
      readonly cutAt: number;
    }
    const findings = new Set<string>();
    const edge = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > edge) {
      findings.add(`the page is ${document.documentElement.scrollWidth} px wide in a window of ${edge}`);
    }
    const known = new Map<Element, Around>();
    const isUnseen = (element: Element, style: CSSStyleDeclaration): boolean =>
      element.matches('.sr, [inert], [aria-hidden="true"]') ||
      style.display === 'none' ||
      style.visibility === 'hidden' ||
      style.opacity === '0' ||
      style.clipPath === 'inset(50%)';
    const around = (element: Element): Around => {
      const before = known.get(element);
      if (before) return before;
      const parent =
        element.parentElement && element !== document.body
          ? around(element.parentElement)
          : { isSeen: true, isTitled: false, scrolls: false, cutAt: Number.POSITIVE_INFINITY };
      const style = getComputedStyle(element);
      const scrolls = /auto|scroll/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1;
      const cuts = /hidden|clip/.test(style.overflowX) && element !== document.body && element.clientWidth > 0;
      const right = cuts ? element.getBoundingClientRect().right : Number.POSITIVE_INFINITY;
      const found = {
        isSeen: parent.isSeen && !isUnseen(element, style),
        isTitled: parent.isTitled || element.hasAttribute('title'),
        scrolls: parent.scrolls || scrolls,
        // Content of a scrolling element can be scrolled into view.
        cutAt: scrolls ? Number.POSITIVE_INFINITY : Math.min(parent.cutAt, right),
      };
      known.set(element, found);
      return found;
    };
    const name = (element: Element): string =>
      `<${element.localName} ${[...element.classList].join(' ')}> ${(element.textContent ?? '').trim().slice(0, 60)}`;
    const hasText = (element: Element): boolean =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    const isControl = (element: Element): boolean =>
      element.matches('button, a, input, select, textarea, [role="tab"], [role="menuitem"]');
    const pen = document.createElement('canvas').getContext('2d');
    const isWiderThanField = (field: HTMLInputElement): boolean => {
      const text = field.value || field.placeholder;
      const style = getComputedStyle(field);
      if (!pen || text === '' || field.type === 'password') return false;
      // Typed text can be scrolled with the cursor. A placeholder and the text of a select cannot.
      if (field.value !== '' && !field.readOnly) return false;
      // The short form is empty where figures are tabular.
      pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
      const width = field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      return pen.measureText(text).width > width + 1;
    };
    // The page below a dialog has a screen of its own.
    const front = [...document.querySelectorAll('[role="dialog"]')].at(-1) ?? document.body;
    for (const element of front.querySelectorAll<HTMLElement>('*')) {
      if (!isControl(element) && !hasText(element)) continue;
      const box = element.getBoundingClientRect();
      if (box.width < 2 || box.height < 2) continue;
      const { isSeen, isTitled, scrolls, cutAt } = around(element);
      if (!isSeen) continue;
      const overflows =
        /hidden|clip/.test(getComputedStyle(element).overflowX) &&
        !(element instanceof HTMLInputElement) &&
        element.scrollWidth > element.clientWidth + 1;
      const isCut = overflows || box.right > cutAt + 1;
      if (isCut && !isTitled) findings.add(`cut: ${name(element)}`);
      if (element.matches('button') && element.scrollHeight > element.clientHeight + 2 && element.clientHeight > 0) {
        findings.add(`higher than its button: ${name(element)}`);
      }
      if ((box.right > edge + 1 || box.left < -1) && !scrolls && !isCut) {
        findings.add(`beyond the edge: ${name(element)}`);
      }
      if (element instanceof HTMLInputElement && !isTitled && isWiderThanField(element)) {
        findings.add(`cut: what stands in the field, ${element.value || element.placeholder}`);
      }
    }
    return [...findings];
  });
