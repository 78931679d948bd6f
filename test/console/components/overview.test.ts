import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { follow, main, signIn, useConsole } from './console.ts';
import { demoApi } from './world.ts';

interface FindingsAnswer {
  readonly data: { readonly recommendationsSummary: object };
}

/** Changes the savings in the responses to the page. */
function changeSavings(changes: object): void {
  const send = globalThis.fetch;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    const response = await send(url, init);
    if (typeof init?.body !== 'string' || !init.body.includes('query OverviewFindings')) return response;
    const { data } = (await response.json()) as FindingsAnswer;
    const recommendationsSummary = { ...data.recommendationsSummary, ...changes };
    return Response.json({ data: { ...data, recommendationsSummary } });
  });
  onTestFinished(() => spy.mockRestore());
}

describe('the overview', () => {
  const api = demoApi();
  useConsole();

  it('says which savings the headline leaves out', async () => {
    changeSavings({ unconverted: [{ currency: 'EUR', estimatedMonthlySavings: 8008 }] });
    await signIn(api());
    await follow('/');
    const headline = main().getByRole('link', { name: 'Savings available' }).closest('div')?.parentElement;
    expect(main().getAllByText('Not included: €8,008.00, without an exchange rate.')).toHaveLength(2);
    expect(headline?.textContent).toMatch(/recommendations.*Not included: €8,008\.00/);
  }, 60_000);
});
