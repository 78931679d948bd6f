import type { Page } from 'playwright-core';

/** Returns the links, buttons and fields of the page, or of the open dialog or menu, that are smaller than 24 px and within 24 px
 *  of another one. Follows WCAG 2.2, success criterion 2.5.8, including its exceptions for spacing and for links in a sentence. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const least = 24;
    const selector =
      'a[href], button, input, select, textarea, summary, [role="button"], [role="tab"], [role="switch"], [role="option"], [role^="menuitem"]';

    /** The area that responds: with its label, or the frame of a field. */
    const areaOf = (element: Element): DOMRect => {
      const label = element instanceof HTMLInputElement ? element.labels?.[0] : null;
      const frame = element.matches('input') ? element.closest('.mantine-Input-wrapper') : null;
      return (frame ?? label ?? element).getBoundingClientRect();
    };
    const isInSentence = (element: Element): boolean =>
      getComputedStyle(element).display === 'inline' &&
      [...(element.parentElement?.childNodes ?? [])].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      );
    /** Whether the middle of an area is scrolled out of view in a part of the page. */
    const isScrolledOut = (element: Element, area: DOMRect): boolean => {
      const [x, y] = [area.x + area.width / 2, area.y + area.height / 2];
      for (let parent = element.parentElement; parent && parent !== document.body; parent = parent.parentElement) {
        const { left, right, top, bottom } = parent.getBoundingClientRect();
        const isOutside = x < left || x > right || y < top || y > bottom;
        if (isOutside && getComputedStyle(parent).overflow !== 'visible') return true;
      }
      return false;
    };
    const root = document.querySelector('[role="dialog"], [role="menu"]') ?? document;
    const targets = [...root.querySelectorAll(selector)]
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .map((element) => ({ element, area: areaOf(element) }))
      .filter(({ element, area }) => area.width > 0 && area.height > 0 && !isScrolledOut(element, area))
      .map((target) => ({
        ...target,
        x: target.area.x + target.area.width / 2,
        y: target.area.y + target.area.height / 2,
        isSmall: target.area.width < least || target.area.height < least,
      }));
    type Target = (typeof targets)[number];

    /** Whether a circle of 24 px around the small target touches the other one, or its circle if that is small, too. */
    const isNear = (small: Target, other: Target): boolean => {
      if (small === other || small.element.contains(other.element) || other.element.contains(small.element))
        return false;
      const { left, right, top, bottom } = other.area;
      const outside = Math.hypot(
        Math.max(left - small.x, 0, small.x - right),
        Math.max(top - small.y, 0, small.y - bottom),
      );
      if (outside < least / 2) return true;
      return other.isSmall && Math.hypot(other.x - small.x, other.y - small.y) < least;
    };
    const nameOf = ({ element }: Target) => element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
    return targets
      .filter(({ element, isSmall }) => isSmall && !isInSentence(element))
      .flatMap((small) => {
        const other = targets.find((one) => isNear(small, one));
        const { width, height } = small.area;
        if (!other) return [];
        return [`“${nameOf(small)}” of ${width} × ${height} px is near “${nameOf(other)}”`];
      });
  });
}
