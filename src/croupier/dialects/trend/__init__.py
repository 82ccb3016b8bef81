"""`trend`: JSON over WebSocket, up to ten players."""
