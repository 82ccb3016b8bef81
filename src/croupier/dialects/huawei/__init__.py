"""`huawei`: lines of text over TCP, two to eight players."""
