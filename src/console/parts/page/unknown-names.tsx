import { Alert, List } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Act } from '../form/menu.tsx';
import { useUrlState, type UrlState } from '../list/url-state.ts';
import { savedKey } from '../views/address.ts';

/** URL keys that a page reads. A trailing `*` stands for the rest of a name, such as `tag:*`. */
export type Reads = readonly string[];

/** Parameters that other sites add to links, to measure visits. */
const tracking = /^(utm_.+|(g|d|fb|tw|y)clid|msclkid|gbraid|wbraid|mc_[ce]id|_ga|_gl|ref)$/;

/** Console names of parameters that the API names differently. */
const renamed = new Map([
  ['start_date', 'from'],
  ['end_date', 'to'],
  ['start_month', 'from'],
  ['end_month', 'to'],
  ['preset', 'days'],
  ['group_by', 'group'],
  ['cost_metric', 'metric'],
  ['sort_by', 'sort'],
  ['per_page', 'rows'],
  ['resource_type', 'type'],
  ['projected_status', 'status'],
  ['actor_id', 'person'],
]);

/** A parameter of the address that the page ignores, and its equivalent that the page reads, if there is one. */
interface Unknown {
  readonly key: string;
  readonly given: string;
  readonly instead: string | null;
}

/** The parameters of an address that a page does not read. */
export function unknownIn(state: UrlState, reads: Reads): Unknown[] {
  const strange = state.keys().filter((key) => key !== savedKey && !tracking.test(key) && !isRead(key, reads));
  return strange.flatMap((key) =>
    [...new Set(state.all(key))].map((value) => ({
      key,
      given: `${key}=${value}`,
      instead: insteadOf(key, value, reads),
    })),
  );
}

function isRead(key: string, reads: Reads): boolean {
  return reads.some((one) =>
    one.endsWith('*') ? key.length >= one.length && key.startsWith(one.slice(0, -1)) : key === one,
  );
}

function insteadOf(key: string, value: string, reads: Reads): string | null {
  // The API writes the key of a tag into the value: tag=KEY:VALUE.
  const [, name, rest] = /^((?:[^:\\]|\\.)+):(.+)$/.exec(value) ?? [];
  if (name !== undefined && isRead(`${key}:${name}`, reads)) return `${key}:${name.replaceAll('\\', '')}=${rest}`;
  const known = renamed.get(key);
  const same = reads.find((one) => one === known) ?? reads.find((one) => plain(one) === plain(key));
  return same === undefined ? null : `${same}=${value}`;
}

/** Normalizes a name that console and API spell differently: `includeGone` becomes `gone`, `account_id` becomes `account`. */
function plain(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('_', '')
    .replace(/^include/, '')
    .replace(/id$/, '');
}

/** Names the parameters of the address that the page ignores, with a button that removes them. */
export function UnknownNames({ reads }: { readonly reads: Reads }) {
  const state = useUrlState();
  const unknown = unknownIn(state, reads);
  if (unknown.length === 0) return null;
  const remove = () => {
    state.set(Object.fromEntries(unknown.map(({ key }) => [key, null])), { replace: true });
    // The button disappears with the notice.
    document.getElementById('page-title')?.focus({ preventScroll: true });
  };
  return (
    <Alert color="yellow" role="status" icon={<IconAlertTriangle size={18} aria-hidden />}>
      <List size="sm" listStyleType="none" style={{ overflowWrap: 'anywhere' }}>
        {unknown.map(({ given, instead }) => (
          <List.Item key={given}>
            <strong>{given}</strong> in the address has no effect on this page.
            {instead !== null && ` Use ${instead}.`}
          </List.Item>
        ))}
      </List>
      <Act label="Remove from the address" size="compact-sm" mt="xs" onClick={remove} />
    </Alert>
  );
}
