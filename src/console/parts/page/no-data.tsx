import { IconHourglass, IconPlugConnected } from '@tabler/icons-react';
import { useMay, useMe } from '../../api/me.tsx';
import { Act } from '../form/menu.tsx';
import { Empty, type EmptyProps } from './page.tsx';

/** Empty state of pages about costs and findings. Until a bill is loaded, it leads to the accounts instead. */
export function NoData(props: EmptyProps) {
  const { accountCount, costsLoaded } = useMe().organization;
  if (costsLoaded) return <Empty {...props} />;
  return accountCount === 0 ? <NotConnected /> : <NotLoaded />;
}

/** Says that no account is connected, and who can connect one. */
export function NotConnected() {
  const mayConnect = useMay('accounts.write');
  const { accountAccess } = useMe();
  const others =
    accountAccess === null ? 'Ask an Admin to connect an account.' : 'Ask an Admin for access to an account.';
  return (
    <Empty
      icon={IconPlugConnected}
      title="No account connected"
      text={mayConnect ? 'Connect AWS, Azure, Google Cloud or FOCUS files to see data here.' : others}
      action={mayConnect && <Act label="Connect an account" primary href="/accounts/connect" />}
    />
  );
}

function NotLoaded() {
  return (
    <Empty
      icon={IconHourglass}
      title="No bills loaded yet"
      text="Data appears here as soon as a sync has loaded a month. The Accounts page shows progress and errors."
      action={<Act label="See the sync" href="/accounts" />}
    />
  );
}
