/** The chapters of the document, in reading order. */
export const tags: readonly { name: string; description: string }[] = [
  {
    name: 'Authentication',
    description: 'Registering, logging in and out, and the tokens that every other call needs.',
  },
  { name: 'Organization', description: 'The tenant, its members and its exchange rates.' },
  { name: 'Accounts', description: 'Connected cloud accounts and FOCUS exports, and their syncs.' },
  { name: 'Costs', description: 'What it cost: by service, account, region and tag, by day and by month.' },
  { name: 'Inventory', description: 'What there is: resources, as bills and the providers’ inventories tell them.' },
  { name: 'Tags', description: 'How tags are used, what is expected of them, and which resources break it.' },
  { name: 'Recommendations', description: 'What could be saved, how, and what became of it.' },
  { name: 'Anomalies', description: 'What cost more than was to be expected, why, and who looks into it.' },
  { name: 'Alert rules', description: 'Conditions on spend of which somebody is told on each day that they hold.' },
  { name: 'Budgets', description: 'What may be spent in a month, what is, and who is told when it gets close.' },
  { name: 'Forecast', description: 'What it will cost, how sure that is, and how well it was foretold before.' },
  { name: 'Coverage', description: 'What commitments cover, what they could, and which would save money.' },
  { name: 'Reports', description: 'Figures as files: CSV, XLSX, PDF or JSON, made in a job and kept for 30 days.' },
  { name: 'Notifications', description: 'What a member is told, by mail and by chat message.' },
  { name: 'Audit log', description: 'Who did what to what, from where, for 90 days. For Admins.' },
  { name: 'Service', description: 'The API about itself.' },
];
