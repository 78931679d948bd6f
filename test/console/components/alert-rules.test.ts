import { screen, within } from '@testing-library/dom';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fill, follow, signIn, useConsole, user } from './console.ts';
import { demoApi } from './world.ts';

/** Replaces the cost of each day in the responses to the page by euros without an exchange rate. */
function loseRates(): void {
  const send = globalThis.fetch;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    const response = await send(url, init);
    if (typeof init?.body !== 'string' || !init.body.includes('query CostsDaily')) return response;
    const { data } = (await response.json()) as { data: { costsDaily: { days: object[] } } };
    const unconverted = [{ currency: 'EUR', cost: 10 }];
    const days = data.costsDaily.days.map((day) => ({ ...day, cost: 0, unconverted }));
    return Response.json({ data: { costsDaily: { ...data.costsDaily, days } } });
  });
  onTestFinished(() => spy.mockRestore());
}

const card = () => screen.getByRole('region', { name: 'The last 30 complete days' });
const threshold = () => screen.getByLabelText<HTMLInputElement>(/^Threshold/);

describe('the preview of an alert rule', () => {
  const api = demoApi();
  useConsole();

  it('names costs without an exchange rate, and does not evaluate what depends on them', async () => {
    loseRates();
    await signIn(api());
    await follow('/alert-rules/new');
    await within(card()).findByText(/^€300\.00 is not included in these figures: no exchange rate to USD/);
    await fill(threshold(), '100');
    expect(card().textContent).toContain('Would not have triggered in this period.');
    expect(card().textContent).not.toMatch(/No cost|Not evaluated/);
    await user.click(screen.getByRole('combobox', { name: 'Condition' }));
    await user.click(await screen.findByRole('option', { name: 'below' }));
    await within(card()).findByText('Not evaluated on 30 days: costs have no exchange rate.');
    expect(card().textContent).toContain('Would not have triggered in this period.');
    await user.click(screen.getByRole('combobox', { name: 'Metric' }));
    await user.click(await screen.findByRole('option', { name: /^Forecasted/ }));
    await within(card()).findByText('Forecast rules cannot be previewed on past days.');
    expect(card().textContent).toContain('€300.00 is not included');
  }, 60_000);
});
