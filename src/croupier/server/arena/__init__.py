"""Many tables and listeners from one file, with programs, and the socket to direct them."""
