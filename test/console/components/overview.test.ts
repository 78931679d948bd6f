import { describe, expect, it } from 'vitest';
import { changeAnswers, follow, main, signIn, useConsole } from './console.ts';
import { demoApi } from './world.ts';

interface Findings {
  readonly recommendationsSummary: object;
}

describe('the overview', () => {
  const api = demoApi();
  useConsole();

  it('says which savings the headline leaves out', async () => {
    const unconverted = [{ currency: 'EUR', estimatedMonthlySavings: 8008 }];
    changeAnswers<Findings>('OverviewFindings', (data) => ({
      ...data,
      recommendationsSummary: { ...data.recommendationsSummary, unconverted },
    }));
    await signIn(api());
    await follow('/');
    const headline = main().getByRole('link', { name: 'Savings available' }).closest('div')?.parentElement;
    expect(main().getAllByText('Not included: €8,008.00, without an exchange rate.')).toHaveLength(2);
    expect(headline?.textContent).toMatch(/recommendations.*Not included: €8,008\.00/);
  }, 60_000);
});
