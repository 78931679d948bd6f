import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact?: string | null | undefined;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string | undefined }[];
}

/** Returns a text for each place of the violations. */
export function describeViolations(violations: readonly Violation[]): string[] {
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id} (${impact}): ${html.slice(0, 300)} ${failureSummary}`),
  );
}

/** Returns the issues of any impact that axe finds on the page, or in the open dialog or menu. */
export function axeIssues(page: Page): Promise<string[]> {
  // Off by default in axe.
  return issuesOf(page, { rules: { 'target-size': { enabled: true } } });
}

/** Returns the contrast issues only: nothing else differs between light and dark. */
export function contrastIssues(page: Page): Promise<string[]> {
  return issuesOf(page, { runOnly: ['color-contrast'] });
}

/** Returns content outside of landmarks, on the page with its open menu. */
export function landmarkIssues(page: Page): Promise<string[]> {
  return issuesOf(page, { runOnly: ['region'] }, 'html');
}

async function issuesOf(page: Page, options: object, open = '[role="dialog"], [role="menu"]'): Promise<string[]> {
  // Injected by the debugger, because the page's content security policy forbids inline scripts.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  await calm(page);
  const violations = await page.evaluate(
    async ({ only, within }: { only: object; within: string }): Promise<Violation[]> => {
      const { axe, document: all } = globalThis as unknown as {
        axe: { run(at: unknown, options: object): Promise<{ violations: Violation[] }> };
        document: { querySelector(selector: string): unknown };
      };
      const at = all.querySelector(within) ?? all;
      // Preloading is for rules on media, which the console does not have. Rows of a table are alike, so only the first dozen are checked.
      // Tooltips lie outside of landmarks, and belong to what they describe.
      const context = { include: [at], exclude: [['tbody tr:nth-child(n + 13)'], ['[role="tooltip"]']] };
      const { violations: found } = await axe.run(context, { resultTypes: ['violations'], preload: false, ...only });
      return found.map(({ id, impact, nodes }) => ({
        id,
        impact,
        nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
      }));
    },
    { only: options, within: open },
  );
  return describeViolations(violations);
}

/** Waits until nothing is dimmed: answers are dimmed while they are refetched, and dialogs while they fade in. */
async function calm(page: Page): Promise<void> {
  await vi.waitFor(async () => expect(await page.locator('[aria-busy="true"]').count()).toBe(0), { timeout: 45_000 });
  await page.evaluate(async () => {
    const all = (globalThis as unknown as { document: { getAnimations(): Animated[] } }).document.getAnimations();
    const ending = all.filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

/** The used part of the browser's `Animation`. */
interface Animated {
  readonly finished: Promise<unknown>;
  readonly effect: { getComputedTiming(): { readonly endTime: unknown } } | null;
}
