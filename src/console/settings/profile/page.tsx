import * as operations from '../../../../schema/operations.ts';
import { SegmentedControl, TextInput, useMantineColorScheme } from '@mantine/core';
import { Muted } from '../../parts/form/menu.tsx';
import { graphql } from '../../api/graphql.ts';
import { useMe } from '../../api/me.tsx';
import { useAct } from '../../api/use-api.ts';
import { done } from '../../parts/form/dialog.tsx';
import { TextField } from '../../parts/form/fields.tsx';
import { CardForm, useFields } from '../../parts/form/form.tsx';
import { Card, Status } from '../../parts/page/card.tsx';
import { nameFault } from '../../sign-in/faults.ts';
import { words } from '../../words/format.ts';
import { roleTexts } from '../members/access.tsx';
import { SettingRow, SettingsPage } from '../settings-page.tsx';

const UpdateMe = graphql(operations.updateMe);

/** Profile page: name, organization and appearance. */
export function ProfilePage() {
  return (
    <SettingsPage title="Profile">
      <PersonCard />
      <MembershipCard />
      <AppearanceCard />
    </SettingsPage>
  );
}

function PersonCard() {
  const { user } = useMe();
  const { act, isBusy, refusal, clear } = useAct(UpdateMe);
  const { form, set, field, check, rest } = useFields(
    { name: user.name },
    ({ name }) => ({ name: nameFault(name, 'your name') }),
    { of: { refusal, clear }, names: { name: ['name', 'The name'] } },
  );
  const save = async () => {
    const data = check() ? await act({ input: { name: form.name.trim() } }) : null;
    if (!data?.updateMe) return;
    set({ name: data.updateMe.user.name });
    done('Name changed.');
  };
  return (
    <Card title="You">
      <CardForm of={{ isBusy, refusal: rest }} isSame={form.name.trim() === user.name} maw={420} onSave={save}>
        <TextField label="Name" autoComplete="name" maxLength={100} {...field('name')} />
        <TextInput
          label="Email"
          description="Used for signing in and for notifications. It cannot be changed."
          value={user.email}
          readOnly
        />
      </CardForm>
    </Card>
  );
}

/** One-sentence description of each role. */
const roles = {
  SUPER_ADMIN: 'Full access, and owner of the organization.',
  ...roleTexts,
} as const;

function MembershipCard() {
  const { organization, organizations, role } = useMe();
  const others = organizations.filter(({ id }) => id !== organization.id);
  return (
    <Card title="Membership">
      <SettingRow label={organization.name} state={<Status value={role} tone="busy" />} text={roles[role]} />
      {others.map(({ id, name, role: there }) => (
        <SettingRow key={id} label={name} state={<Status value={there} tone="quiet" />} />
      ))}
      {others.length > 0 && <Muted mt="xs">Switch between organizations in the menu with your name.</Muted>}
    </Card>
  );
}

function AppearanceCard() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Card title="Appearance">
      <SettingRow label="Theme" text="Saved in this browser.">
        <SegmentedControl
          aria-label="Theme"
          value={colorScheme}
          onChange={(next) => setColorScheme(next === 'light' || next === 'dark' ? next : 'auto')}
          data={(['auto', 'light', 'dark'] as const).map((value) => ({
            value,
            label: value === 'auto' ? 'System' : words(value),
          }))}
        />
      </SettingRow>
    </Card>
  );
}
