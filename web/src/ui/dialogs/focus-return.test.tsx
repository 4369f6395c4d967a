import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { Dialog } from './dialog.tsx';

const Page = () => {
  const [opened, setOpened] = useState<'first' | 'second'>();
  const [page, setPage] = useState(1);
  return (
    <>
      <button type="button">Before</button>
      <button type="button" key={page} onClick={() => setOpened('first')}>
        Open
      </button>
      {opened ? (
        <Dialog key={opened} opened onClose={() => setOpened(undefined)} title={opened}>
          <button type="button" onClick={() => setOpened('second')}>
            Next
          </button>
          <button type="button" onClick={() => setPage(page + 1)}>
            Draw again
          </button>
        </Dialog>
      ) : null}
    </>
  );
};

const open = async () => {
  await show(<Page />);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await screen.findByRole('dialog', { name: 'first' });
  return user;
};

const expectReturned = async (): Promise<void> => {
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' })));
};

describe('the focus after a dialog is closed', () => {
  it('returns to the element that opened the dialog', async () => {
    const user = await open();
    await user.keyboard('{Escape}');
    await expectReturned();
  });

  it('returns to the element that opened the first of two consecutive dialogs', async () => {
    const user = await open();
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await screen.findByRole('dialog', { name: 'second' });
    await user.keyboard('{Escape}');
    await expectReturned();
  });

  it('returns to the replacement of the opener if the page was rendered again', async () => {
    const user = await open();
    await user.click(screen.getByRole('button', { name: 'Draw again' }));
    await user.keyboard('{Escape}');
    await expectReturned();
  });
});
