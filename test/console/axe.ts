import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Serious and critical issues that axe finds on the page, or in the dialog that is open on it; empty when there is none. */
export async function seriousIssues(page: Page): Promise<string[]> {
  // By a function of the page's own world: its policy allows no script that is written into it.
  await page.evaluate(source);
  const violations = await page.evaluate(async (): Promise<Violation[]> => {
    const { axe, document: all } = globalThis as unknown as {
      axe: { run(at: unknown, options: object): Promise<{ violations: Violation[] }> };
      document: { querySelector(selector: string): unknown };
    };
    const at = all.querySelector('[role="dialog"], [role="menu"]') ?? all;
    // Rows of a table are alike: the first dozen stand for them.
    const context = { include: [at], exclude: [['tbody tr:nth-child(n + 13)']] };
    const { violations: found } = await axe.run(context, { resultTypes: ['violations'] });
    return found.map(({ id, impact, nodes }) => ({
      id,
      impact,
      nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
    }));
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 300)} ${failureSummary}`),
    );
}
