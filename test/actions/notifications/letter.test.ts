import { describe, expect, it } from 'vitest';
import { letterOf } from '../../../src/actions/notifications/letter.ts';
import type { Announcement } from '../../../src/actions/notifications/announcement.ts';
import { anomalyAlert, budgetAlert, hostileAlert, reportReady } from './samples.ts';

function mailOf(announcement: Announcement, userIds: string[] = ['u']) {
  return letterOf(
    { publicUrl: 'https://costs.example.com' },
    {
      id: 'd',
      organizationId: 'o',
      organizationName: 'Plum & Sons',
      channel: 'email',
      recipient: 'ana@example.com',
      channelId: null,
      createdAt: new Date('2026-11-21T10:00:00Z'),
      attempts: 0,
      announcement,
      accountIds: null,
      userIds,
    },
  );
}

describe('the email of an announcement', () => {
  it('renders as text', () => {
    expect(mailOf(budgetAlert)).toMatchObject({
      to: 'ana@example.com',
      subject: 'Budget “Production” has reached 100 %',
      text: `Budget alert · Plum & Sons

Budget “Production” has reached 100\u00a0%

Spend of November 2026 is $12,480.22, and the budget is $12,000.00.

[####################] 104% used, alerts at 50%, 80%, 100%

Spent: $12,480.22
Budget: $12,000.00 per month
Over by: $480.22
Forecast to month end: $15,910.00
Complete through: 20 November 2026

At this rate, November ends at $15,910.00, which is 33\u00a0% more than the
budget.

Open the budget:
https://costs.example.com/budgets/b1

-- 
Costkeep, https://costs.example.com
You received this because you own the budget. Choose your notifications
and channels in Costkeep under Notifications.
`,
    });
  });

  it('renders bars as text', () => {
    expect(mailOf(anomalyAlert).text.replaceAll('\u200b', '')).toContain(`
[#################...] +$1,102.40  BoxUsage:p4d.24xlarge
[##..................] +$131.20  EBS:VolumeUsage.gp3
[#...................] +$67.50  DataTransfer-Out-Bytes
`);
  });

  it('renders as HTML, with a bar in proportion to the percentage used', () => {
    const { html } = mailOf({ ...budgetAlert, meter: { percent: 62.5, thresholds: [80, 100] } });
    expect(html).toContain('Budget alert · Plum &amp; Sons');
    expect(html).toContain('width: 63%; height: 12px');
    expect(html).toMatch(/>80%<.*>100%</s);
    expect(html).toContain('$12,480.22');
    expect(html).toContain('<a href="https://costs.example.com/budgets/b1"');
  });

  it.each([
    [87, ['50%', '80%', '100%']],
    [394, ['100%']],
    [1_000, ['900%']],
  ])('labels each mark of a bar at %s percent, the limit before other thresholds', (percent, labels) => {
    const thresholds = [50, 80, 100, ...(percent > 900 ? [900] : [])];
    const { html } = mailOf({ ...budgetAlert, meter: { percent, thresholds } });
    const marks = [...html.matchAll(/<td class="soft mark"[^>]*>([^<]*)</g)].map(([, label]) => label);
    expect(marks).toEqual(labels);
  });

  it('omits empty parts', () => {
    const { html, text } = mailOf(reportReady);
    expect(html).not.toContain('used');
    expect(text.split('\n\n')).toHaveLength(5);
  });

  it('mentions preferences only to members', () => {
    expect(mailOf(reportReady, []).text).not.toContain('Choose your notifications');
  });

  it('neutralizes markup, links and direction overrides in names', () => {
    const { html, text, subject } = mailOf(hostileAlert);
    expect(html).not.toContain('<img');
    expect(html + text).not.toContain('\u202e');
    const [, body = ''] = html?.split('</head>') ?? [];
    expect(body + text).not.toMatch(/https:\/\/evil|evil\.example/);
    expect(subject).not.toMatch(/[\r\n\u202e]/);
  });

  it('keeps names unchanged when they are copied from the HTML', () => {
    const name = 'Acme.prod/eu @ 10:30 — a.b@example.com';
    const { html, subject } = mailOf({ ...budgetAlert, title: name, facts: [{ label: 'Account', value: name }] });
    const [, body = ''] = html?.split('</head>') ?? [];
    const copied = body.replaceAll(/<span style="[^"]*user-select: none">\u200b<\/span>/g, '');
    expect(copied).not.toContain('\u200b');
    expect(copied.split(name)).toHaveLength(3);
    expect(html).toContain(`<title>${name}</title>`);
    expect(subject).toBe(name);
  });

  it('has a single-line subject of limited length', () => {
    const { subject } = mailOf({ ...reportReady, title: `Report\r\nBcc: eve@example.com ${'x'.repeat(500)}` });
    expect(subject).toMatch(/^Report Bcc: eve@example.com x+…$/);
    expect(subject).toHaveLength(180);
    expect(mailOf({ ...reportReady, title: `x${'😀'.repeat(100)}` }).subject).toBe(`x${'😀'.repeat(89)}…`);
    expect(mailOf({ ...reportReady, title: '😀'.repeat(100) }).subject).toBe(`${'😀'.repeat(89)}…`);
  });

  it('keeps figures, dates and times intact', () => {
    const lead = 'On 20 November 2026, 10:00 UTC it cost $1,204.50 (3.4 times) at db.prod';
    expect(mailOf({ ...reportReady, lead }).text.replaceAll('\n', ' ')).toContain(
      lead.replace('db.prod', 'db.\u200bprod'),
    );
  });

  it.each([0, -3, 100, 250])('draws a bar at %s percent', (percent) => {
    const { html } = mailOf({ ...budgetAlert, meter: { percent, thresholds: [] } });
    const widths = [...html.matchAll(/width: (\d+)%; height: 12px/g)].map((match) => Number(match[1]));
    expect(widths).toEqual(percent > 0 ? [100] : []);
  });

  it('does not wrap labels beside long names', () => {
    const name = 'production-payments-platform-eu-west-1';
    const { html } = mailOf({ ...reportReady, facts: [{ label: 'Account', value: name }] });
    const [, style] = /<td class="soft line"[^>]*style="([^"]*)">Account</.exec(html) ?? [];
    expect(style).toContain('white-space: nowrap');
  });
});
