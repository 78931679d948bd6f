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
  { name: 'Coverage', description: 'What commitments cover, what they could, and which would save money.' },
  { name: 'Audit log', description: 'Who did what to what, from where, for 90 days. For Admins.' },
  { name: 'Service', description: 'The API about itself.' },
];
