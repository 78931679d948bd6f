/** A set of tags. */
export type Tags = Readonly<Record<string, string>>;

/** The teams of the sample organization, with the tags that their resources should carry. */
export const owners = {
  storefront: { team: 'storefront', application: 'web-shop', cost_center: 'CC-1001' },
  orders: { team: 'orders', application: 'order-service', cost_center: 'CC-1002' },
  payments: { team: 'payments', application: 'payment-gateway', cost_center: 'CC-1003' },
  search: { team: 'search', application: 'product-search', cost_center: 'CC-1004' },
  data: { team: 'data-platform', application: 'warehouse', cost_center: 'CC-2001' },
  ml: { team: 'machine-learning', application: 'recommender', cost_center: 'CC-2002' },
  platform: { team: 'platform', application: 'shared-services', cost_center: 'CC-3001' },
  erp: { team: 'back-office', application: 'erp', cost_center: 'CC-4001' },
} as const satisfies Record<string, Tags>;

/** Names of the owners. */
export type Owner = keyof typeof owners;

/** The full tag set of an owner's resource in an environment. */
export function tagsOf(owner: Owner, env: 'prod' | 'staging' | 'dev'): Tags {
  return { env, ...owners[owner] };
}

/** Reads a tag set in the tables of meters: owner and environment, then tags that are added or differ, such as
 *  `orders;prod;Name=orders-api-01`; empty for a resource without tags. */
export function tagsFrom(text: string): Tags {
  if (text === '') return {};
  const [owner = '', env = '', ...more] = text.split(';');
  const own: Readonly<Record<string, Tags>> = owners;
  return { env, ...own[owner], ...Object.fromEntries(more.map((tag) => tag.split('='))) };
}
