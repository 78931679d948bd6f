import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Card } from '../../parts/card.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import type { Organization } from './queries.ts';
import { TransferDialog } from './transfer-dialog.tsx';

/** What only the Super Admin can do, and what nobody can take back. */
export function OwnershipCard({ organization }: { readonly organization: Organization }) {
  const [open, setOpen] = useState<'transfer' | 'delete' | null>(null);
  const close = () => setOpen(null);
  return (
    <Card title="Ownership" note="Only the Super Admin sees this.">
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <Text size="sm" maw={560}>
            Another member becomes the Super Admin and sees every account. You stay, as an Admin.
          </Text>
          <Button variant="default" onClick={() => setOpen('transfer')} disabled={organization.memberCount < 2}>
            Transfer ownership
          </Button>
        </Group>
        <Group justify="space-between" gap="sm">
          <Text size="sm" maw={560}>
            Deleting the organization deletes its members, settings, accounts with their credentials, every figure and
            the audit log. It cannot be undone.
          </Text>
          <Button color="red.8" onClick={() => setOpen('delete')}>
            Delete the organization
          </Button>
        </Group>
      </Stack>
      {open === 'transfer' && <TransferDialog onClose={close} />}
      {open === 'delete' && <DeleteDialog name={organization.name} onClose={close} />}
    </Card>
  );
}
