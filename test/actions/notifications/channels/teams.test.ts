import { describe, expect, it } from 'vitest';
import { teamsMessage } from '../../../../src/actions/notifications/channels/teams.ts';
import { anomalyAlert, budgetAlert, hostile, hostileAlert } from '../samples.ts';

const config = { publicUrl: 'https://costs.example.com' };
const label = 'Budget alert · Plum';

function cardOf(announcement: typeof budgetAlert, file: Parameters<typeof teamsMessage>[2] = null) {
  const { attachments } = teamsMessage(config, { ...announcement, label }, file) as {
    attachments: { content: { body: { inlines: { text: string }[] }[]; actions: object[]; fallbackText: string } }[];
  };
  const content = attachments[0]?.content;
  return { ...content, lines: content?.body.map(({ inlines }) => inlines.map(({ text }) => text).join('')) };
}

describe('the message to a Teams workflow', () => {
  it('is an Adaptive Card in a message', () => {
    expect(teamsMessage(config, { ...budgetAlert, label })).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: { type: 'AdaptiveCard', version: '1.4', actions: [{ type: 'Action.OpenUrl' }] },
        },
      ],
    });
    const { lines, actions } = cardOf(budgetAlert);
    expect(lines?.slice(0, 4)).toEqual([
      'Budget “Production” has reached 100 %',
      'Spend of November 2026 is $12,480.22, and the budget is $12,000.00.',
      '104% used',
      'Spent  $12,480.22',
    ]);
    expect(actions).toEqual([
      { type: 'Action.OpenUrl', title: 'Open the budget', url: 'https://costs.example.com/budgets/b1' },
    ]);
  });

  it('links to the file of a report', () => {
    const link = { url: 'https://costs.example.com/file', expiresAt: new Date('2026-12-05T10:00:00Z') };
    const { actions } = cardOf(anomalyAlert, { name: 'a.pdf', sizeBytes: 2_048, attachment: null, link });
    expect(actions).toContainEqual({ type: 'Action.OpenUrl', title: 'Download the file', url: link.url });
  });

  it('contains names as text runs, which have no markup, without invisible characters', () => {
    const { lines, body } = cardOf(hostileAlert);
    expect(lines?.[0]).toBe(`Budget ${hostile}`);
    expect(lines?.join()).not.toContain('\u202e');
    expect(new Set(body?.flatMap(({ inlines }) => inlines.map((run) => Reflect.get(run, 'type'))))).toEqual(
      new Set(['TextRun']),
    );
  });

  it('stays below 28 KB', () => {
    const long = 'x'.repeat(20_000);
    const facts = Array.from({ length: 100 }, () => ({ label: long, value: long }));
    const huge = { ...budgetAlert, title: long, lead: long, facts, paragraphs: Array.from({ length: 20 }, () => long) };
    expect(JSON.stringify(teamsMessage(config, { ...huge, label })).length).toBeLessThan(28_000);
  });
});
