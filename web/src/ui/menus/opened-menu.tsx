import { Menu, type MenuProps } from '@mantine/core';
import { cloneElement, type ReactElement, type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import type { ButtonElement } from './lazy-menu.tsx';

export interface OpenedMenuProps extends Pick<MenuProps, 'position' | 'width'> {
  button: ButtonElement;
  children: ReactNode;
}

/** A menu that opens when it is first rendered. It replaces the button that was just clicked. */
export const OpenedMenu = ({ button, position, width, children }: OpenedMenuProps) => {
  const [opened, setOpened] = useState(false);
  const target = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The focus was lost with the replaced button. Closing the menu returns it to the element that has it now.
    if (document.activeElement === document.body) target.current?.focus();
    setOpened(true);
  }, []);
  return (
    // A fixed position is not clipped by a table that scrolls.
    <Menu opened={opened} onChange={setOpened} position={position} width={width} floatingStrategy="fixed">
      <Menu.Target>
        {cloneElement(button as ReactElement<{ ref?: Ref<HTMLButtonElement> }>, { ref: target })}
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
};
