import type { Announcement } from '../../../src/actions/notifications/announcement.ts';

/** A budget that reached its second threshold. */
export const budgetAlert: Announcement = {
  kind: 'budget_alert',
  subjectKey: 'budget:b1:2026-11:100',
  tone: 'critical',
  title: 'Budget “Production” has reached 100 %',
  lead: 'Spend of November 2026 is $12,480.22, and the budget is $12,000.00.',
  facts: [
    { label: 'Spent', value: '$12,480.22' },
    { label: 'Budget', value: '$12,000.00 per month' },
    { label: 'Over by', value: '$480.22' },
    { label: 'Forecast to month end', value: '$15,910.00' },
    { label: 'Complete through', value: '20 November 2026' },
  ],
  meter: { percent: 104, thresholds: [50, 80, 100] },
  paragraphs: ['At this rate, November ends at $15,910.00, which is 33 % more than the budget.'],
  action: { label: 'Open the budget', path: '/budgets/b1' },
  reason: 'You received this because you own the budget.',
};

/** A spike with its drivers. */
export const anomalyAlert: Announcement = {
  kind: 'anomaly_alert',
  subjectKey: 'anomaly:a1',
  tone: 'warning',
  title: 'Amazon Elastic Compute Cloud costs 3.4 times as much as expected',
  lead: 'On 20 November 2026 it cost $1,843.10 in “prod-eu”, and $542.00 was expected.',
  facts: [
    { label: 'Account', value: 'prod-eu (AWS 123456789012)' },
    { label: 'Service', value: 'Amazon Elastic Compute Cloud' },
    { label: 'Region', value: 'eu-central-1' },
    { label: 'More than expected', value: '$1,301.10' },
  ],
  bars: [
    { label: 'BoxUsage:p4d.24xlarge', value: '+$1,102.40', share: 0.85 },
    { label: 'EBS:VolumeUsage.gp3', value: '+$131.20', share: 0.1 },
    { label: 'DataTransfer-Out-Bytes', value: '+$67.50', share: 0.05 },
  ],
  paragraphs: [
    'Most of it comes from one instance type that was not used before 19 November: p4d.24xlarge.',
    'If it was not started on purpose, stop it; each day costs about $1,100.00 more.',
  ],
  action: { label: 'Open the anomaly', path: '/anomalies/a1' },
  reason: 'You received this because you have access to the account and have anomaly alerts turned on.',
};

/** A finished report without optional parts. */
export const reportReady: Announcement = {
  kind: 'report',
  subjectKey: 'report:r1',
  tone: 'info',
  title: 'Costs by service, October 2026',
  lead: 'The report is ready as PDF, 214 kB.',
  facts: [],
  paragraphs: [],
  action: { label: 'Download the report', path: '/reports/r1' },
  reason: 'You received this because you are a recipient of the report schedule “Monthly costs”.',
};

/** A name with hostile characters. */
export const hostile =
  '<img src=x onerror=alert(1)> & *bold* `code` _it_ ~no~ <!channel> :fire: https://evil.example/login';

/** An alert with hostile text in every field. */
export const hostileAlert: Announcement = {
  ...anomalyAlert,
  title: `Budget ${hostile}`,
  lead: `Lead ${hostile}`,
  facts: [{ label: hostile, value: `\u202egnp.exe ${hostile}` }],
  bars: [{ label: hostile, value: hostile, share: 1.7 }],
  meter: { percent: 1_000, thresholds: [10, 11, 12, 80, 100, 900] },
  paragraphs: [hostile],
  reason: `Because of ${hostile}.`,
};
