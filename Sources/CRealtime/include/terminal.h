// Keys of a terminal, one by one and unseen, and the way back. In C because a signal handler has to
// take it.
#pragma once

/// True when the terminal behind a descriptor has this process in front.
int fx_terminal_is_in_front(int descriptor);

/// Lets the keys of a terminal be read as they are pressed, without showing them; Ctrl-C and its like
/// go on being signals. Calling it again after the process was stopped sets it up again. Returns 1
/// where keys can be read, 0 where it is no terminal or another process is in front.
int fx_terminal_listen(int descriptor);

/// The next key that was pressed, 0 for none. Never waits.
int fx_terminal_key(int descriptor);

/// Puts back the terminal as `fx_terminal_listen` found it. From any thread and any signal handler.
void fx_terminal_restore(void);
