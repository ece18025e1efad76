"""Putting Jackspot on a machine as a service, and taking it off again.

:mod:`.plan` says what there is to do, as steps that are looked at before any is taken;
:mod:`.system` is the one place that touches the machine. The files that are put in place lie
in ``files/`` and are those of the folder ``systemd/`` at the top of the repository.
"""
