namespace cowork_terminal {}
