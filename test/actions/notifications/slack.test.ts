import { describe, expect, it } from 'vitest';
import type { Announcement } from '../../../src/actions/notifications/announcement.ts';
import { escaped, slackLimits, slackMessage } from '../../../src/actions/notifications/slack.ts';
import { anomalyAlert, budgetAlert, hostile, hostileAlert } from './samples.ts';

const config = { publicUrl: 'https://costs.example.com' };

function messageOf(announcement: Announcement) {
  return slackMessage(config, { ...announcement, label: 'Budget alert · Plum & Sons' });
}

/** All texts in the blocks, recursively. */
function texts(value: unknown): { type: string; text: string; verbatim?: boolean }[] {
  if (Array.isArray(value)) return value.flatMap(texts);
  if (typeof value !== 'object' || value === null) return [];
  const own = 'text' in value && typeof value.text === 'string' ? [value as never] : [];
  return [...own, ...Object.values(value).flatMap(texts)];
}

describe('a chat message', () => {
  it('has the content of the email, in blocks and as fallback text', () => {
    const { text, blocks } = messageOf(budgetAlert);
    expect(text).toBe(
      'Budget “Production” has reached 100 %: Spend of November 2026 is $12,480.22, and the budget is $12,000.00.',
    );
    expect(blocks?.map(({ type }) => type)).toEqual([
      'header',
      'section',
      'section',
      'section',
      'section',
      'actions',
      'context',
    ]);
    expect(blocks?.[0]).toEqual({
      type: 'header',
      text: { type: 'plain_text', text: '🔴 Budget “Production” has reached 100 %', emoji: false },
    });
    expect(JSON.stringify(blocks?.[2])).toContain('▰▰▰▰▰▰▰▰▰▰▰▰▰▰▰  *104%* used, alerts at 50%');
    expect(blocks?.[3]).toMatchObject({ fields: [{ text: '*Spent*\n$12,480.22' }, {}, {}, {}, {}] });
    expect(blocks?.[5]).toMatchObject({ elements: [{ url: 'https://costs.example.com/budgets/b1' }] });
    expect(blocks?.[6]).toMatchObject({
      elements: [{ text: '*Budget alert · Plum &amp; Sons* · You received this because you own the budget.' }],
    });
  });

  it('renders bars', () => {
    expect(JSON.stringify(messageOf(anomalyAlert).blocks)).toContain(
      '▰▰▰▰▰▰▰▰▰▰▰▰▰▱▱  *+$1,102.40*  BoxUsage:p4d.24xlarge',
    );
  });

  it('neutralizes mentions, links, emoji and formatting in names', () => {
    const { blocks, text } = messageOf(hostileAlert);
    const marked = texts(blocks).filter(({ type }) => type === 'mrkdwn');
    expect(marked.length).toBeGreaterThan(4);
    for (const one of marked) {
      expect(one.verbatim).toBe(true);
      // Our own bold words are surrounded by spaces or line ends, and are the only bold text.
      expect(one.text.replace(/\*[^*\n]+\*/g, '')).not.toMatch(/[<>*`~]|:fire:|\b_it_/);
    }
    expect(text).not.toMatch(/[<>]|:fire:/);
  });

  it('escapes Slack control characters', () => {
    expect(escaped('<!channel> & <@U1> <https://evil.example|here>')).toBe(
      '&lt;!channel&gt; &amp; &lt;@U1&gt; &lt;https://evil.example|here&gt;',
    );
    expect(escaped('prod_db_1 at 10:30:45')).toBe('prod_db_1 at 10:\u200b30:45');
    expect(escaped(hostile)).not.toMatch(/[<>*`~]/);
  });

  it('stays within the limits of Block Kit', () => {
    const long = '&'.repeat(5_000);
    const fact = { label: long, value: long };
    const { blocks = [], text = '' } = messageOf({
      ...hostileAlert,
      title: long,
      lead: long,
      facts: Array.from({ length: 23 }, () => fact),
      bars: Array.from({ length: 40 }, () => ({ ...fact, share: 0.1 })),
      paragraphs: Array.from({ length: 70 }, () => long),
      action: { label: long, path: '/' },
      reason: long,
    });
    expect(text.length).toBeLessThanOrEqual(slackLimits.fallback);
    expect(blocks).toHaveLength(slackLimits.blocks);
    expect(blocks.at(-2)).toMatchObject({ type: 'actions' });
    for (const block of blocks) {
      if (block.type === 'header') for (const one of texts(block)) expect(one.text.length).toBeLessThanOrEqual(150);
      if ('fields' in block) {
        expect(texts(block).length).toBeLessThanOrEqual(10);
        for (const one of texts(block)) expect(one.text.length).toBeLessThanOrEqual(2_000);
      }
      for (const one of texts(block)) expect(one.text.length).toBeLessThanOrEqual(3_000);
      for (const one of texts(block)) if (one.type === 'mrkdwn') expect(one.text).not.toMatch(/&[a-z]{0,3}…/);
    }
    expect(JSON.stringify(blocks.at(-2))).toMatch(/"text":"&{74}…"/);
  });

  it('has no empty texts, which Slack rejects', () => {
    const { blocks } = messageOf({
      ...budgetAlert,
      facts: [{ label: 'Region', value: '' }],
      lead: '',
      paragraphs: [''],
    });
    for (const one of texts(blocks)) expect(one.text).not.toBe('');
  });
});
