import { Alert } from '@mantine/core';
import { IconMailOff } from '@tabler/icons-react';
import { useMay, useMe } from '../../api/me.tsx';
import { useKept } from '../kept.ts';

/** Note for Admins that the server sends no emails. They can hide it in their browser. */
export function MailNote() {
  const { organization } = useMe();
  const isAdmin = useMay('organization.write');
  const [isHidden, setHidden] = useKept('mail-note-hidden', false);
  if (organization.mailConfigured || !isAdmin || isHidden) return null;
  return (
    <Alert
      color="yellow"
      icon={<IconMailOff size={18} aria-hidden />}
      title="Email is not configured"
      withCloseButton
      closeButtonLabel="Hide this note"
      onClose={() => setHidden(true)}
    >
      This server saves emails in its data folder and does not send them. To send them, set <code>SMTP_URL</code> on the
      server. Until then, pass on the invitation links yourself.
    </Alert>
  );
}
