// How the API shows fields that budgets and alert rules share: see `recordInputs`.

export const nameShown = { type: 'String', text: 'Display name, 1 to 100 characters on one line.' };

export const targetShown = {
  accountId: {
    type: 'ID',
    text: 'UUID of the connected account in scope; null for all accounts, only for callers with access to all. Replaces a restriction inherited from a former owner.',
  },
  provider: { type: 'String', text: 'Provider in scope, as a slug such as `aws`; null for all.' },
  service: { type: 'String', text: 'FOCUS ServiceName in scope; null for all.' },
};

export const notifiedShown = {
  emails: {
    type: ['String'],
    text: 'Additional email addresses to notify, at most 20.',
    onUpdate: ' Replaces the current addresses.',
  },
  slack: { type: 'Boolean', text: 'Whether to notify the owner’s webhook as well.' },
};
