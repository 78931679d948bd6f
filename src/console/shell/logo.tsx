import { Center, Group, Loader, Stack, Text } from '@mantine/core';
import mark from '../costkeep.svg';
import { WaitNote } from '../parts/page/page.tsx';

/** Costkeep's logo and name. */
export function Logo() {
  return (
    <Group gap={9} wrap="nowrap">
      <img src={mark} width={24} height={24} alt="" />
      <Text component="span" fw={680} fz={17} lts="-0.02em">
        Costkeep
      </Text>
    </Group>
  );
}

/** Splash screen until the session state is known. */
export function Starting() {
  return (
    <Center component="main" mih="100vh" aria-busy="true">
      <Stack align="center">
        <Loader type="dots" aria-label="Loading" />
        <WaitNote />
      </Stack>
    </Center>
  );
}
