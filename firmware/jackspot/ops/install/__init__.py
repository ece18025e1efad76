"""Installing Jackspot on a machine as a service, and uninstalling it.

:mod:`.plan` says what there is to do, as steps that are shown before any is taken. :mod:`.system`
is the one place that touches the machine. The files that are put in place are in ``files/``; they
are those of the folder ``systemd/`` at the top of the repository.
"""
