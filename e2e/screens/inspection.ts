import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What axe finds; for another theme of the same page only the colours can differ. */
export const axeFindings = async (page: Page, only?: 'colours'): Promise<string[]> => {
  const axe = new AxeBuilder({ page });
  if (only) axe.withRules(['color-contrast']);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
};

/** Notes what goes wrong in a page from now on: errors in its console, and calls that fail. */
export const watchFaults = (page: Page): readonly string[] => {
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(`error: ${message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()} ${message.location().url}`);
  });
  page.on('requestfailed', (request) => {
    // A page that is left gives up what it was asking for.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') faults.push(`failed: ${request.url()}`);
  });
  return faults;
};

/**
 * Texts and controls of the page that cannot be read or reached whole: cut off without their whole text in a title, higher than their
 * button, or beyond the edge of the window.
 */
export const cutFindings = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const findings: string[] = [];
    const edge = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > edge) {
      findings.push(`the page is ${document.documentElement.scrollWidth} px wide in a window of ${edge}`);
    }
    const ancestors = (element: Element): Element[] => {
      const found: Element[] = [];
      for (let at: Element | null = element; at; at = at.parentElement) found.push(at);
      return found;
    };
    const isSeen = (element: Element): boolean =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      // Texts for screen readers alone, and what a dialog covers.
      !ancestors(element).some(
        (at) => at.matches('.sr, [inert], [aria-hidden="true"]') || getComputedStyle(at).clipPath === 'inset(50%)',
      );
    const isHidden = (value: string): boolean => value === 'hidden' || value === 'clip';
    const scrolls = (element: Element): boolean =>
      ancestors(element).some(
        (at) => /auto|scroll/.test(getComputedStyle(at).overflowX) && at.scrollWidth > at.clientWidth + 1,
      );
    const name = (element: Element): string =>
      `<${element.localName} ${[...element.classList].join(' ')}> ${(element.textContent ?? '').trim().slice(0, 60)}`;
    const hasText = (element: Element): boolean =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
      const isControl = element.matches('button, a, input, select, textarea, [role="tab"], [role="menuitem"]');
      if (!isControl && !hasText(element)) continue;
      if (!isSeen(element)) continue;
      const box = element.getBoundingClientRect();
      if (box.width < 2 || box.height < 2) continue;
      const cutter = ancestors(element).find(
        (at) =>
          isHidden(getComputedStyle(at).overflowX) &&
          at.clientWidth > 0 &&
          at !== document.documentElement &&
          at !== document.body,
      );
      const isTitled = ancestors(element).some((at) => at.hasAttribute('title'));
      const isCut =
        cutter === element
          ? element.scrollWidth > element.clientWidth + 1
          : cutter !== undefined && box.right > cutter.getBoundingClientRect().right + 1 && !scrolls(element);
      if (isCut && !isTitled) findings.push(`cut: ${name(element)}`);
      if (element.matches('button') && element.scrollHeight > element.clientHeight + 2 && element.clientHeight > 0) {
        findings.push(`higher than its button: ${name(element)}`);
      }
      if ((box.right > edge + 1 || box.left < -1) && !scrolls(element) && !isCut)
        findings.push(`beyond the edge: ${name(element)}`);
    }
    const input = document.createElement('canvas').getContext('2d');
    for (const field of document.body.querySelectorAll<HTMLInputElement>('input[placeholder]')) {
      if (!input || !isSeen(field) || field.value !== '') continue;
      const style = getComputedStyle(field);
      input.font = style.font;
      const room = field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      if (input.measureText(field.placeholder).width > room + 1 && !field.title) {
        findings.push(`cut: placeholder ${field.placeholder}`);
      }
    }
    return [...new Set(findings)];
  });
