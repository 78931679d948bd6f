import { fit } from '../fit.ts';
import { pageOf } from '../output.ts';
import { account, accountWithin } from '../tools/accounts/account.ts';
import type { Resource } from './resource.ts';

/** What a page of the API holds at most: more accounts than a conversation has use for. */
const most = 100;

/** The caller's accounts. */
export const accounts: Resource = {
  uri: 'costkeep://accounts',
  name: 'accounts',
  title: 'Cloud accounts',
  description: 'The cloud accounts in the scope of the token: ids, which days have data, and whether their syncs work.',
  mimeType: 'application/json',
  read: async ({ api, now }) => {
    const query = { status: ['connected', 'disconnected'], sort_by: 'name', per_page: most };
    const { data, pagination } = await api.get('/accounts', query, pageOf(account));
    const answer = fit((limits) => ({
      as_of: now.toISOString(),
      total: pagination.total,
      accounts: data.map((one) => accountWithin(one, limits, now)),
    }));
    return JSON.stringify(pagination.total > data.length ? { ...answer, truncated: true } : answer);
  },
};
