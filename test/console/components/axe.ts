import axe from 'axe-core';
import { describeViolations } from '../axe.ts';

/** Rules that need layout or colours, which happy-dom does not have; a browser checks them on every page and dialog. */
const ofLayout = ['color-contrast', 'region', 'scrollable-region-focusable', 'target-size'];

/** Issues of any impact that axe finds in the document, or in the dialog or menu that is open. */
export async function axeIssues(): Promise<string[]> {
  const at = document.querySelector('[role="dialog"], [role="menu"]') ?? document;
  const rules = Object.fromEntries(ofLayout.map((rule) => [rule, { enabled: false }]));
  const context = { include: [at], exclude: [['tbody tr:nth-child(n + 13)']] };
  const { violations } = await axe.run(context as axe.ElementContext, {
    resultTypes: ['violations'],
    preload: false,
    rules,
  });
  return describeViolations(violations);
}
