import { Button, Group, Stack, TagsInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useAct } from '../../api/use-act.ts';
import { Card } from '../../parts/card.tsx';
import { done } from '../../parts/done.ts';
import { RefusalAlert } from '../../parts/refusal.tsx';
import { emailsFault } from '../../parts/recipient-fields.tsx';
import { UpdateCopies } from './queries.ts';

/** Addresses that the API takes. */
const most = 20;

/** Who gets a copy of each mail to the caller. */
export function CopiesCard({ emails: before }: { readonly emails: readonly string[] }) {
  const [emails, setEmails] = useState<string[]>([...before]);
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const update = useAct(UpdateCopies);
  const all = [...new Set([...emails, ...addressesIn(typed)])];
  const isSame = all.join() === before.join();
  const save = async () => {
    const found = emailsFault(all, most);
    setFault(found);
    if (!found && (await update.act({ additionalEmails: all }))) done('Saved.');
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isSame) void save();
  };
  return (
    <Card title="Copies">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <TagsInput
            label="Additional email addresses"
            description="Each gets a copy of every mail to you. Several at once: with commas, spaces or Enter between them."
            placeholder={emails.length === 0 ? 'finance@example.com' : ''}
            splitChars={[',', ' ', ';', '\n', '\t']}
            value={emails}
            acceptValueOnBlur={false}
            searchValue={typed}
            error={fault}
            clearable
            clearButtonProps={{ 'aria-label': 'Clear addresses' }}
            onChange={(next) => setEmails(next.flatMap(addressesIn))}
            onSearchChange={setTyped}
          />
          <RefusalAlert refusal={update.refusal} />
          <Group>
            <Button type="submit" loading={update.isBusy} disabled={isSame}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

function addressesIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter((part) => part !== '');
}
