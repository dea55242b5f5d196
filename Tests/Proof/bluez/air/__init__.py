"""Virtual boards and the adapter that hears them: on Bumble's software controller, attached to the kernel by
/dev/vhci."""
