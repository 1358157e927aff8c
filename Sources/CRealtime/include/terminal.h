// Reads single keys of a terminal without echo, and restores the terminal. In C because a signal
// handler must restore it.
#pragma once

/// True when this process is in the foreground of the terminal behind a descriptor.
int fx_terminal_is_in_front(int descriptor);

/// Lets the keys of a terminal be read as they are pressed, without echo; Ctrl-C and similar keys
/// still send signals. Call it again after the process was stopped. Returns 1 where keys can be
/// read, 0 where it is no terminal or another process is in the foreground.
int fx_terminal_listen(int descriptor);

/// The next pressed key, 0 for none. Never blocks.
int fx_terminal_key(int descriptor);

/// Restores the terminal to its state before `fx_terminal_listen`. From any thread and any signal
/// handler.
void fx_terminal_restore(void);
