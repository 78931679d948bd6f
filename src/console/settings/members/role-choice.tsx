import { Radio, Stack } from '@mantine/core';
import { words } from '../../words/names.ts';
import { givenRoles, roleTexts, type GivenRole } from './roles.ts';

interface Props {
  readonly value: GivenRole;
  onChange(role: GivenRole): void;
}

/** One of the roles, each with what it may do. */
export function RoleChoice({ value, onChange }: Props) {
  const choose = (chosen: string) => {
    const role = givenRoles.find((each) => each === chosen);
    if (role) onChange(role);
  };
  return (
    <Radio.Group label="Role" value={value} onChange={choose}>
      <Stack gap={8} mt={6}>
        {givenRoles.map((role) => (
          <Radio key={role} value={role} label={words(role)} description={roleTexts[role]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
