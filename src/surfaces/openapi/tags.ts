/** The tags (chapters) of the document, in reading order. */
export const tags: readonly { name: string; description: string }[] = [
  {
    name: 'Authentication',
    description: 'Registration, sign-in, sessions, second factors, passkeys and API tokens.',
  },
  { name: 'Organization', description: 'The organization, its members and invitations, and its exchange rates.' },
  { name: 'Accounts', description: 'Connected cloud accounts and FOCUS exports, and their syncs.' },
  { name: 'Costs', description: 'Spend by service, account, region, tag and other dimensions, per day and per month.' },
  { name: 'Unit metrics', description: 'Business metrics such as orders, their daily values, and the cost per unit.' },
  { name: 'Invoices', description: 'Invoices of the providers, compared with their lines on the bills.' },
  { name: 'Inventory', description: 'Cloud resources, from bills and from the providers’ inventories.' },
  {
    name: 'Virtual tags',
    description: 'Rules that give every charge one value, such as a team, and splits of shared costs.',
  },
  { name: 'Tags', description: 'Tag usage, tag policies, and the resources that violate them.' },
  { name: 'Recommendations', description: 'Ways to reduce cost, with their evidence, scripts and realized savings.' },
  { name: 'Anomalies', description: 'Unexpected spend, with its likely cause and its status.' },
  {
    name: 'Alert rules',
    description: 'Conditions on spend. A notification is sent for each day on which a condition is met.',
  },
  {
    name: 'Budgets',
    description: 'Monthly, quarterly and yearly budgets with alert thresholds, current and forecasted spend.',
  },
  { name: 'Forecast', description: 'Projected cost with confidence intervals, and the accuracy of past forecasts.' },
  { name: 'Coverage', description: 'Commitment coverage, its gaps, and a commitment planner.' },
  { name: 'Reports', description: 'CSV, XLSX, PDF and JSON reports, on demand or scheduled, kept for 30 days.' },
  { name: 'Annotations', description: 'Notes on one or more days, shown on cost charts.' },
  { name: 'Views', description: 'Saved views of console pages, and dashboards of their charts.' },
  {
    name: 'Notifications',
    description:
      'Notification preferences of the caller, channels of the organization, and the messages that were sent.',
  },
  { name: 'Audit log', description: 'Changes and sign-ins of the last 90 days. Admins only.' },
  { name: 'Service', description: 'This document.' },
];
